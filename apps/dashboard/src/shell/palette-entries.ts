import { type Address, views } from '../state/address.ts';
import type { Preferences } from '../state/preferences.ts';
import { type CommandName, commandNames, commands } from '../ui/commands.ts';
import { viewNames } from './views.ts';

export type PaletteAction =
  | { readonly to: Partial<Address> }
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
  ['Compact rows', { density: 'compact' }, 'dense', 'one line per row'],
  ['Normal rows', { density: 'normal' }, 'density'],
  ['Absolute times (UTC)', { absoluteTimes: true }, 'timestamps'],
  ['Relative times', { absoluteTimes: false }, 'ages'],
  ['Enable single-key shortcuts', { singleKeys: true }, 'keys'],
  ['Disable single-key shortcuts', { singleKeys: false }, 'keys'],
];

/** Views first, then the commands for which `isOffered` is true, then settings. */
export function paletteEntries(isOffered: (command: CommandName) => boolean): PaletteEntry[] {
  return [
    ...views.map((view) => {
      const { title, key } = viewNames[view];
      return { title, synonyms: [], keys: ['G', key], does: { to: { view, slot: undefined } } };
    }),
    ...commandNames.filter(isOffered).map((command) => {
      const { title, key, synonyms = [] } = commands[command];
      return { title, synonyms, keys: [key], does: { command } };
    }),
    {
      title: 'Wall display',
      synonyms: ['quiet mode', 'tv'],
      keys: [],
      does: { to: { view: 'board', quiet: true, slot: undefined } },
    },
    { title: 'API documentation', synonyms: ['docs', 'help'], keys: [], does: { href: 'docs' } },
    ...settings.map(([title, prefer, ...synonyms]) => ({ title, synonyms, keys: [], does: { prefer } })),
  ];
}
