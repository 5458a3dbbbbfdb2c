import { useEffect, useRef } from 'preact/hooks';

/** What the page can be told to do by a key, or from the list of everything that there is. */
export const commandNames = ['update-order', 'fold', 'behind', 'failed', 'running', 'before', 'after', 'now'] as const;
export type CommandName = (typeof commandNames)[number];

const commands = new Map<CommandName, () => void>();

/** Does what a command says; `false` where no view that is shown knows it, or where there is nothing to do. */
export function command(name: CommandName): boolean {
  const run = commands.get(name);
  run?.();
  return run !== undefined;
}

/** The command that nobody knew when it was given, and until when it is wanted; at most one. */
const awaited = new Map<CommandName, number>();
const awaitedMs = 5000;

/** Does what a command says as soon as what knows it is shown, unless that takes too long to be what was meant. */
export function commandSoon(name: CommandName): void {
  awaited.clear();
  awaited.set(name, performance.now() + awaitedMs);
}

/** Whether a command is about to be done. */
export function isAwaited(name: CommandName): boolean {
  return performance.now() < (awaited.get(name) ?? 0);
}

/** Whether a command would do something now. */
export function hasCommand(name: CommandName): boolean {
  return commands.has(name);
}

/** Lets a command do this while the component is shown; `undefined` = there is nothing to do. */
export function useCommand(name: CommandName, run: (() => void) | undefined): void {
  const latest = useRef(run);
  latest.current = run;
  const isThere = run !== undefined;
  useEffect(() => {
    if (!isThere) return undefined;
    const call = () => latest.current?.();
    commands.set(name, call);
    if (isAwaited(name)) {
      awaited.clear();
      call();
    }
    return () => {
      if (commands.get(name) === call) commands.delete(name);
    };
  }, [name, isThere]);
}
