import { type CommandName, holdsTitle, isHandled } from '../ui/commands.ts';

interface CommandWords {
  readonly title: string;
  /** Other words that find the command in the palette. */
  readonly synonyms?: readonly string[];
  /** When the palette offers the command; `handled` = only while a component handles it; `undefined` = always. */
  readonly offered?: 'handled' | 'never';
}

export const commandWords: Readonly<Record<CommandName, CommandWords>> = {
  palette: { title: 'Search or jump to (⌘ K on a Mac)', offered: 'never' },
  filter: { title: 'Filter', offered: 'never' },
  rows: { title: 'Go to the rows of the grid, also from the filter', offered: 'never' },
  failed: { title: 'Show only failures', synonyms: ['failed', 'broken'] },
  running: { title: 'Show only what is running', synonyms: ['in progress'] },
  behind: { title: 'Show only drift: what is behind the stage before', synonyms: ['behind'] },
  grid: { title: 'Go to the grid', synonyms: ['matrix'] },
  fold: { title: 'Fold or unfold healthy services', synonyms: ['collapse', 'groups'] },
  before: { title: 'Go to the previous event', synonyms: ['past', 'time travel', 'history'] },
  after: { title: 'Go to the next event', offered: 'handled' },
  'next-change': { title: 'Next change', offered: 'never' },
  'previous-change': { title: 'Previous change', offered: 'never' },
  peek: { title: 'Peek at the events of a change; the peek follows J and K', offered: 'never' },
  now: { title: 'Back to now', synonyms: ['live'], offered: 'handled' },
  columns: {
    title: 'Columns: choose the environments',
    synonyms: ['hide environments', 'display'],
    offered: 'handled',
  },
  csv: { title: 'Download the board as CSV', synonyms: ['csv', 'export', 'spreadsheet'], offered: 'handled' },
  share: { title: 'Copy the link to this view', synonyms: ['share', 'url'], offered: 'handled' },
  notify: {
    title: 'Notify me of events that match the filters',
    synonyms: ['notifications', 'alerts'],
    offered: 'handled',
  },
  holds: {
    title: holdsTitle,
    synonyms: ['freeze', 'lock', 'hold', 'release a freeze', 'exception', 'mark as bad'],
    offered: 'handled',
  },
  keys: { title: 'Keyboard shortcuts', synonyms: ['all keys', 'help'] },
};

/** Whether the palette offers a command now. */
export function isOffered(name: CommandName): boolean {
  const { offered } = commandWords[name];
  return offered === undefined || (offered === 'handled' && isHandled(name));
}
