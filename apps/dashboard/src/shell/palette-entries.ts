import { type Address, changeOf, home, qualityPage, type View, views } from '../state/address.ts';
import type { Preferences } from '../state/preferences.ts';
import type { Preset } from '../state/presets.ts';
import { type CommandName, commandNames, commands } from '../ui/commands.ts';
import { commandWords } from './command-words.ts';
import { viewNames } from './views.ts';

export type PaletteAction =
  /** Goes to a view, and then runs a command there. */
  | { readonly to: Partial<Address>; readonly command?: CommandName }
  | { readonly command: CommandName }
  | { readonly prefer: Partial<Preferences> }
  | { readonly href: string };

/** A view, a command or a setting, with the words by which users search for it. */
export interface PaletteEntry {
  readonly title: string;
  readonly synonyms: readonly string[];
  readonly keys: readonly string[];
  readonly does: PaletteAction;
}

const settings: readonly (readonly [title: string, Partial<Preferences>, ...synonyms: readonly string[]])[] = [
  ['Light colours', { theme: 'light' }, 'theme'],
  ['Dark colours', { theme: 'dark' }, 'theme', 'night'],
  ['System colours', { theme: 'automatic' }, 'theme', 'automatic'],
  ['Compact rows', { density: 'compact' }, 'dense', 'density'],
  ['Roomy rows', { density: 'roomy' }, 'density'],
  ['Absolute times (UTC)', { absoluteTimes: true }, 'timestamps'],
  ['Relative times', { absoluteTimes: false }, 'ages'],
  ['Enable single-key shortcuts', { singleKeys: true }, 'keys'],
  ['Disable single-key shortcuts', { singleKeys: false }, 'keys'],
];

/** Former views that are now part of a view, by their former names. */
const formerNames: Readonly<Record<View, readonly string[]>> = {
  board: ['services'],
  changes: ['feed', 'events'],
  releases: ['compare', 'diff'],
  analytics: ['dora', 'teams', 'team figures'],
};

/** Views first, then the commands for which `isOffered` is true, saved views and settings. */
export function paletteEntries(
  isOffered: (command: CommandName) => boolean,
  presets: readonly Preset[] = [],
): PaletteEntry[] {
  return [
    ...views.map((view) => {
      const { title, key } = viewNames[view];
      return { title, synonyms: formerNames[view], keys: ['G', key], does: { to: { view, slot: undefined } } };
    }),
    ...commandNames.filter(isOffered).map((command) => {
      const { title, synonyms = [] } = commandWords[command];
      const { key } = commands[command];
      return { title, synonyms, keys: key === undefined ? [] : [key], does: { command } };
    }),
    ...presets.map(({ name, search }) => ({
      title: name,
      synonyms: ['saved view', 'preset'],
      keys: [],
      does: { to: changeOf(search) },
    })),
    {
      title: 'Data quality',
      synonyms: ['log quality', 'reporters', 'stopped reporting', 'silent', 'clock ahead', 'refused posts'],
      keys: [],
      does: { to: qualityPage() },
    },
    {
      title: 'Wall display',
      synonyms: ['quiet mode', 'tv'],
      keys: [],
      does: { to: { view: 'board', board: { ...home.board, layout: 'wall' }, slot: undefined } },
    },
    { title: 'API documentation', synonyms: ['docs', 'help'], keys: [], does: { href: 'docs' } },
    ...settings.map(([title, prefer, ...synonyms]) => ({ title, synonyms, keys: [], does: { prefer } })),
  ];
}
