import { setImmediate } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  type CallToolRequest,
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { productVersion } from '@shiplog/contract';
import { compileValidator, type Validator } from '@shiplog/server/validation';
import { escapeUnsafe } from '@shiplog/text';
import { failureOf } from '../failures.ts';
import { answerText, notice } from './answer.ts';
import type { Log, Tool } from './tool.ts';
import { tools } from './tools.ts';

const instructions = `Shiplog is the live log of what is deployed where. Its tools are read-only. ${notice}`;

export interface ToolServer {
  readonly server: Server;
  /** Resolves when every call received so far is answered. */
  answered(): Promise<void>;
}

/** An MCP server with all tools, to be connected to a transport (command.md 7). */
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
  const underWay = new Set<Promise<CallToolResult>>();
  server.setRequestHandler(CallToolRequestSchema, (request, { signal }) => {
    const result = call(request, signal);
    underWay.add(result);
    const forget = () => underWay.delete(result);
    result.then(forget, forget);
    return result;
  });
  const answered = async () => {
    await Promise.allSettled(underWay);
    // The server writes a result some microtasks after it is available.
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
