import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { viewLink, viewOf, views } from './links.ts';

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ['open'],
  // `start` isn't a program but a shell builtin. Of the characters that the Windows shell interprets, addresses may
  // contain only `&`, and ours don't.
  win32: ['cmd', '/c', 'start', ''],
};

/** `shiplog open [view]`: opens a view in the browser, or in the program that BROWSER names (command.md 4). */
export async function openView({ args }: Given, context: Context): Promise<number> {
  const [name = 'board'] = args;
  const view = viewOf(name);
  if (!view) throw usageFailure(`Unknown view ${JSON.stringify(name)}. Views: ${views.join(', ')}.`);
  const link = viewLink(context.url, view);
  const browser = context.env.BROWSER;
  const [program = '', ...before] = browser ? [browser] : (openers[process.platform] ?? ['xdg-open']);
  const opened = spawn(program, [...before, link], { stdio: 'ignore', detached: true });
  try {
    await once(opened, 'spawn');
  } catch (error) {
    throw new Failure(exitCodes.no, `Can't start a browser (${program}). Open ${link} yourself.`, error);
  }
  opened.unref();
  context.out.line(link);
  return exitCodes.done;
}
