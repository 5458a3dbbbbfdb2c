import { useEffect, useRef } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { foldingOf } from '../state/address/board.ts';
import { comparisonOf } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';

interface Command {
  /** The key, with its modifier if it needs one; `undefined` = the command is only in the palette. */
  readonly key?: string;
  readonly title: string;
  /** Other words that find the command in the palette. */
  readonly synonyms?: readonly string[];
  /** When the palette offers the command; `handled` = only while a component handles it; `undefined` = always. */
  readonly offered?: 'handled' | 'never';
  /** What the command does while no component handles it. */
  readonly otherwise?: (navigation: Navigation) => void;
}

const table = {
  palette: { key: 'Ctrl K', title: 'Search or jump to (⌘ K on a Mac)', offered: 'never' },
  filter: { key: '/', title: 'Filter', offered: 'never' },
  rows: {
    key: '↓',
    title: 'Go to the rows of the grid, also from the filter',
    offered: 'never',
    otherwise: focusRows,
  },
  failed: {
    key: 'F',
    title: 'Show only failures',
    synonyms: ['failed', 'broken'],
    otherwise: (navigation) => toggle('failed', navigation),
  },
  running: {
    key: 'R',
    title: 'Show only what is running',
    synonyms: ['in progress'],
    otherwise: (navigation) => toggle('running', navigation),
  },
  behind: {
    key: 'D',
    title: 'Show only drift: what is behind the stage before',
    synonyms: ['behind'],
    otherwise: (navigation) => navigation.go(comparisonOf({ kind: 'ahead' })),
  },
  grid: {
    key: 'B',
    title: 'Go to the grid',
    synonyms: ['matrix'],
    otherwise: (navigation) => {
      navigation.go({ view: 'board', slot: undefined, board: { ...navigation.address.value.board, layout: 'grid' } });
      requestAnimationFrame(focusRows);
    },
  },
  fold: {
    key: 'E',
    title: 'Fold or unfold healthy services',
    synonyms: ['collapse', 'groups'],
    otherwise: toggleFolding,
  },
  before: {
    key: '[',
    title: 'Go to the previous event',
    synonyms: ['past', 'time travel', 'history'],
    otherwise: (navigation) => openPresent('before', navigation),
  },
  after: {
    key: ']',
    title: 'Go to the next event',
    offered: 'handled',
    otherwise: (navigation) => openPresent('after', navigation),
  },
  'next-change': { key: 'J', title: 'Next change', offered: 'never' },
  'previous-change': { key: 'K', title: 'Previous change', offered: 'never' },
  peek: { key: 'Space', title: 'Peek at the events of a change; the peek follows J and K', offered: 'never' },
  now: {
    key: 'N',
    title: 'Back to now',
    synonyms: ['live'],
    offered: 'handled',
    otherwise: (navigation) => navigation.go({ asof: undefined }),
  },
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
    title: 'Freezes, locks and bad versions',
    synonyms: ['freeze', 'lock', 'hold', 'release a freeze', 'exception', 'mark as bad'],
    offered: 'handled',
  },
  keys: { key: '?', title: 'Keyboard shortcuts', synonyms: ['all keys', 'help'] },
} satisfies Record<string, Command>;

export type CommandName = keyof typeof table;
export const commands: Readonly<Record<CommandName, Command>> = table;
export const commandNames = Object.keys(table) as readonly CommandName[];

const handlers = new Map<CommandName, () => void>();

/** Runs the handler of a component on screen, or else the default in the table. */
export function runCommand(name: CommandName, navigation: Navigation): void {
  (handlers.get(name) ?? commands[name].otherwise)?.(navigation);
}

export function isOffered(name: CommandName): boolean {
  const { offered } = commands[name];
  return offered === undefined || (offered === 'handled' && handlers.has(name));
}

/** The command that waits for a component to handle it, with its deadline. Has at most one entry. */
const pending = new Map<CommandName, number>();
const pendingMs = 5000;

/** Runs a command as soon as a component handles it, within five seconds. */
export function runWhenHandled(name: CommandName): void {
  pending.clear();
  pending.set(name, performance.now() + pendingMs);
}

export function isPending(name: CommandName): boolean {
  return performance.now() < (pending.get(name) ?? 0);
}

/** Handles a command while the component is on screen; `undefined` = the component doesn't handle it. */
export function useCommand(name: CommandName, run: (() => void) | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  const isHandled = run !== undefined;
  useEffect(() => {
    if (!isHandled) return undefined;
    const call = () => latest.current?.();
    handlers.set(name, call);
    if (isPending(name)) {
      pending.clear();
      call();
    }
    return () => {
      if (handlers.get(name) === call) handlers.delete(name);
    };
  }, [name, isHandled]);
}

/** Moves the focus to the cell of the grid that had it last. */
function focusRows(): void {
  document.querySelector<HTMLElement>('[data-line] [tabindex="0"]')?.focus();
}

function toggle(only: NonNullable<Filter['only']>, navigation: Navigation): void {
  const { filter, view: shown } = navigation.address.value;
  const view = shown === 'changes' ? 'changes' : 'board';
  const isOn = filter.only === only && shown === view;
  navigation.go({ view, slot: undefined, filter: { ...filter, only: isOn ? undefined : only } });
}

function toggleFolding(navigation: Navigation): void {
  const { board, asof } = navigation.address.value;
  const isFolded = foldingOf(board, asof !== undefined && asof !== 'now') === 'well';
  navigation.go({ view: 'board', slot: undefined, board: { ...board, fold: isFolded ? 'nothing' : 'well' } });
}

function openPresent(name: 'before' | 'after', navigation: Navigation): void {
  runWhenHandled(name);
  navigation.go({ view: 'board', slot: undefined, asof: 'now' });
}
