import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Context } from '../context.ts';
import { exitCodes } from '../failure.ts';
import { createToolServer } from './server.ts';

/** `shiplog mcp`: serves on standard input and output until the assistant closes them (command.md 7). */
export async function serveTools(context: Context): Promise<number> {
  const server = createToolServer({ client: await context.client(), url: context.url });
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
  context.signal.throwIfAborted();
  return exitCodes.done;
}
