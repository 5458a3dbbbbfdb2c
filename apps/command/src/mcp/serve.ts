import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Context } from '../context.ts';
import { exitCodes } from '../failure.ts';
import { createToolServer } from './server.ts';

/**
 * `shiplog mcp`: serves on standard input and output until the assistant closes them (command.md 7). Calls received
 * before the end of input are answered, as a caller with a pipe expects.
 */
export async function serveTools(context: Context): Promise<number> {
  const { server, answered } = createToolServer({ client: await context.client(), url: context.url });
  const closed = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve).once('close', resolve);
  });
  const stopped = new Promise<void>((resolve) => {
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await Promise.race([closed.then(answered), stopped]);
  await server.close();
  context.signal.throwIfAborted();
  return exitCodes.done;
}
