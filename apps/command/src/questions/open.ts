import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { viewLink, viewOf, views } from './links.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // `start` is no program; an address has no characters that the shell of Windows takes apart but `&`, and ours have none.
  win32: ['cmd', '/c', 'start', ''],
};

/** `shiplog open [view]`: shows the board in the browser, the one that BROWSER names where it is set (command.md 4). */
export async function openView({ args }: Given, context: Context): Promise<number> {
  const [name = 'board'] = args;
  const view = viewOf(name);
  if (!view) throw usageFailure(`${JSON.stringify(name)} is no view; there are ${views.join(', ')}.`);
  const link = viewLink(context.url, view);
  const browser = context.env.BROWSER;
  const [program = '', ...before] = browser ? [browser] : (openers[process.platform] ?? ['xdg-open']);
  const opened = spawn(program, [...before, link], { stdio: 'ignore', detached: true });
  try {
    await once(opened, 'spawn');
  } catch (error) {
    throw new Failure(exitCodes.no, `No browser could be started (${program}); open ${link} in one.`, error);
  }
  opened.unref();
  context.out.line(link);
  return exitCodes.done;
}
