import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { clientOf } from '@shiplog/testing';
import { expect, onTestFinished } from 'vitest';
import { createToolServer } from '../../src/mcp/server.ts';

const bytesMax = 16 * 1024;

interface Answered {
  readonly link: string;
  readonly items: readonly Record<string, unknown>[];
  readonly next_cursor?: string;
  readonly more?: string;
}

interface Called {
  readonly isError: boolean;
  readonly texts: readonly string[];
  readonly json: Answered;
}

/** Connects the official client, which calls tools as an assistant does. */
export async function assistant(url: string) {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const { server } = createToolServer({ client: clientOf(url), url });
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Called> => {
    const { content, isError = false } = await client.callTool({ name, arguments: given });
    const texts = (content as { text: string }[]).map(({ text }) => text);
    expect(Buffer.byteLength(texts.join(''))).toBeLessThanOrEqual(bytesMax);
    return { isError: isError as boolean, texts, json: isError ? ({} as Answered) : JSON.parse(texts[1] ?? '') };
  };
  return { client, call };
}
