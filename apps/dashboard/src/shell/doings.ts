import { type Address, views } from '../state/address.ts';
import type { Preferences } from '../state/preferences.ts';
import type { CommandName } from '../ui/commands.ts';
import { keyOfCommand, keyOfView } from './keys.ts';
import { shownViews } from './views.ts';

/** Something that the page can do, as people look for it. */
export interface Doing {
  readonly title: string;
  /** Other words for it. */
  readonly names: readonly string[];
  readonly keys: readonly string[];
  readonly does:
    | { readonly to: Partial<Address> }
    | { readonly command: CommandName }
    | { readonly prefer: Partial<Preferences> }
    | { readonly href: string }
    | { readonly opens: 'keys' };
}

const commands: readonly (readonly [CommandName, title: string, ...names: readonly string[]])[] = [
  ['failed', 'Only what failed', 'failures', 'broken'],
  ['running', 'Only what runs', 'running', 'in progress'],
  ['behind', 'Only what is behind', 'drift'],
  ['update-order', 'Order of the rows: update it', 'sort'],
  ['fold', 'Fold or unfold what is well', 'collapse', 'groups'],
  ['before', 'Go to the event before', 'past', 'time travel', 'history'],
  ['after', 'Go to the event after'],
  ['now', 'Back to now', 'live'],
];

const preferences: readonly (readonly [title: string, Partial<Preferences>, ...names: readonly string[]])[] = [
  ['Light colours', { theme: 'light' }, 'theme'],
  ['Dark colours', { theme: 'dark' }, 'theme', 'night'],
  ['Colours as this machine has them', { theme: 'automatic' }, 'theme'],
  ['One line a row', { density: 'compact' }, 'dense'],
  ['Rows with all lines', { density: 'normal' }, 'density'],
  ['Absolute times (UTC)', { absoluteTimes: true }, 'instants'],
  ['Times as ages', { absoluteTimes: false }, 'relative'],
  ['Single keys on', { singleKeys: true }, 'shortcuts'],
  ['Single keys off', { singleKeys: false }, 'shortcuts'],
];

/** Views first, then what can be done in them, then how the page looks. */
export function doings(canAct: (command: CommandName) => boolean): Doing[] {
  return [
    ...views.map((view) => {
      const key = keyOfView(view);
      const keys = key === undefined ? [] : ['G', key];
      return { title: shownViews[view].title, names: [], keys, does: { to: { view, slot: undefined } } };
    }),
    ...commands
      .filter(([command]) => canAct(command))
      .map(([command, title, ...names]) => {
        const key = keyOfCommand(command);
        return { title, names, keys: key === undefined ? [] : [key], does: { command } };
      }),
    { title: 'All keys', names: ['shortcuts', 'keyboard', 'help'], keys: ['?'], does: { opens: 'keys' } },
    {
      title: 'Wall display',
      names: ['quiet mode', 'tv'],
      keys: [],
      does: { to: { view: 'board', quiet: true, slot: undefined } },
    },
    { title: 'API documentation', names: ['docs', 'help'], keys: [], does: { href: 'docs' } },
    ...preferences.map(([title, prefer, ...names]) => ({ title, names, keys: [], does: { prefer } })),
  ];
}
