import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { productVersion } from '@shiplog/contract';
import { compileValidator, type Validator } from '@shiplog/server/validation';
import { escapeUnsafe } from '@shiplog/text';
import type { Context } from '../context.ts';
import { exitCodes, failureOf } from '../failure.ts';
import { answerText, notice } from './answer.ts';
import { attention } from './attention.ts';
import { board } from './board.ts';
import { changes } from './changes.ts';
import { dora, quality } from './figures.ts';
import { history } from './history.ts';
import { canPromote, holds } from './holds.ts';
import { diff, releases, where } from './releases.ts';
import type { Log, Tool } from './tool.ts';

const tools: readonly Tool[] = [
  board,
  attention,
  where,
  history,
  changes,
  diff,
  releases,
  dora,
  quality,
  holds,
  canPromote,
];

const instructions = `Shiplog is the live log of what is deployed where. Its tools are read-only. ${notice}`;

export interface ToolServer {
  readonly server: Server;
  /** Resolves when every call received so far has been answered. */
  answered(): Promise<void>;
}

/** Creates an MCP server with all tools, to be connected to a transport (command.md 7). */
export function createToolServer(log: Log): ToolServer {
  const server = new Server(
    { name: 'shiplog', version: productVersion },
    { capabilities: { tools: {} }, instructions },
  );
  const validators = new Map<string, Validator>(tools.map(({ name, input }) => [name, compileValidator(input)]));
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, description, input }) => ({
      name,
      description,
      inputSchema: input as { type: 'object' },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    })),
  }));
  const call = async ({ params }: CallToolRequest, signal: AbortSignal): Promise<CallToolResult> => {
    const tool = tools.find(({ name }) => name === params.name);
    const given = params.arguments ?? {};
    const faults = validators.get(params.name)?.(given) ?? [];
    if (!tool) return refusal(`Unknown tool ${params.name}. Tools: ${tools.map(({ name }) => name).join(', ')}.`);
    if (faults.length > 0) return refusal(faults.map(({ pointer, message }) => `${pointer} ${message}.`).join(' '));
    return answer(tool, given, log, signal);
  };
  const inProgress = new Set<Promise<CallToolResult>>();
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const result = call(request, signal);
    inProgress.add(result);
    const forget = () => inProgress.delete(result);
    result.then(forget, forget);
    return result;
  });
  const answered = async () => {
    await Promise.allSettled(inProgress);
    // The server writes a result a few microtasks after it is available.
    await setImmediate();
  };
  return { server, answered };
}

async function answer(tool: Tool, given: object, log: Log, signal: AbortSignal): Promise<CallToolResult> {
  try {
    const text = await answerText(await tool.answer(given, log, signal));
    return { content: [notice, text].map((part) => ({ type: 'text', text: part })) };
  } catch (error) {
    return refusal(failureOf(error).message);
  }
}

/** Longer than any message of this command. */
const refusalCharactersMax = 2000;

function refusal(sentence: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: escapeUnsafe(sentence.slice(0, refusalCharactersMax)) }] };
}

/**
 * `shiplog mcp`: serves on standard input and output until the assistant closes them (command.md 7). Calls received
 * before the end of input are still answered, as a caller with a pipe expects.
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
