import { useEffect, useRef } from 'preact/hooks';
import type { Filter } from '../board/filter.ts';
import { foldingOf } from '../state/address/board.ts';
import { comparisonOf } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';

interface Command {
  /** The key, with its modifier if it needs one; `undefined` = the command is only in the palette. */
  readonly key?: string;
  /** What the command does while no component handles it. */
  readonly otherwise?: (navigation: Navigation) => void;
}

/** What commands do; `shell/command-words.ts` names them. The first view needs only this part. */
const table = {
  palette: { key: 'Ctrl K' },
  filter: { key: '/' },
  rows: { key: '↓', otherwise: focusRows },
  failed: { key: 'F', otherwise: (navigation) => toggle('failed', navigation) },
  running: { key: 'R', otherwise: (navigation) => toggle('running', navigation) },
  behind: { key: 'D', otherwise: (navigation) => navigation.go(comparisonOf({ kind: 'ahead' })) },
  grid: {
    key: 'B',
    otherwise: (navigation) => {
      navigation.go({ view: 'board', slot: undefined, board: { ...navigation.address.value.board, layout: 'grid' } });
      requestAnimationFrame(focusRows);
    },
  },
  fold: { key: 'E', otherwise: toggleFolding },
  before: { key: '[', otherwise: (navigation) => openPresent('before', navigation) },
  after: { key: ']', otherwise: (navigation) => openPresent('after', navigation) },
  'next-change': { key: 'J' },
  'previous-change': { key: 'K' },
  peek: { key: 'Space' },
  now: { key: 'N', otherwise: (navigation) => navigation.go({ asof: undefined }) },
  columns: {},
  csv: {},
  share: {},
  notify: {},
  holds: {},
  keys: { key: '?' },
} satisfies Record<string, Command>;

export const holdsTitle = 'Freezes, locks and bad versions';

export type CommandName = keyof typeof table;
export const commands: Readonly<Record<CommandName, Command>> = table;
export const commandNames = Object.keys(table) as readonly CommandName[];

const handlers = new Map<CommandName, () => void>();

/** Runs the handler of a component on screen, or else the default in the table. */
export function runCommand(name: CommandName, navigation: Navigation): void {
  (handlers.get(name) ?? commands[name].otherwise)?.(navigation);
}

export function isHandled(name: CommandName): boolean {
  return handlers.has(name);
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
