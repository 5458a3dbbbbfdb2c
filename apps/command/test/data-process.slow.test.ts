import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { anEvent, listedEvents, minute, postStored, testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { manyRows } from './support/many-rows.ts';
import { sharedLog } from './support/service.ts';
import { environmentOf, mainPath, Spawned } from './support/spawned.ts';

const { emptyService } = sharedLog();

test('an import of standard input interrupted by Ctrl-C resumes when it is run again', async () => {
  const url = await emptyService();
  const events = [...Array(60).keys()].map((n) => anEvent({ service: `s-${n % 3}`, happened_at: minute(n) }));
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const first = new Spawned(url, ['import', '--json', '--rate', '100', '-']);
  first.child.stdin.end(text);
  await first.printed(10);
  first.child.kill('SIGINT');
  expect(await first.ended()).toBe(130);
  expect(first.err).toContain('Run the same command to resume.');
  const stored = (await listedEvents(url)).size;
  expect(stored).toBeLessThan(60);
  const second = new Spawned(url, ['import', '-']);
  second.child.stdin.end(text);
  expect(await second.ended()).toBe(0);
  expect(second.out).toBe(`60 rows: ${60 - stored} posted, ${stored} already in the log, 0 refused.\n`);
  const listed = [...(await listedEvents(url)).values()].map(({ deployment_id }) => deployment_id);
  expect(listed.sort()).toEqual(events.map(({ deployment_id }) => deployment_id).sort());
});

test('shiplog mcp serves the official client on standard input and output and exits with it', async () => {
  const url = await emptyService();
  await postStored(url, anEvent());
  const client = new Client({ name: 'test', version: '1' });
  const args = [mainPath, 'mcp'];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: environmentOf(url) }));
  const { content } = await client.callTool({ name: 'board', arguments: {} });
  expect(JSON.stringify(content)).toContain('payments-api');
  await client.close();
  const alone = new Spawned(url, ['mcp']);
  alone.child.stdin.end();
  expect([await alone.ended(), alone.out, alone.err]).toEqual([0, '', '']);
});

test('shiplog mcp answers calls received before the end of its input, then exits', async () => {
  const url = await emptyService();
  await postStored(url, anEvent());
  const piped = new Spawned(url, ['mcp']);
  const clientInfo = { name: 'test', version: '1' };
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'board', arguments: {} } },
  ];
  piped.child.stdin.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
  expect(await piped.ended()).toBe(0);
  const answers = piped.out.trimEnd().split('\n');
  expect(answers.map((line) => JSON.parse(line).id)).toEqual([1, 2]);
  expect(answers[1]).toContain('payments-api');
});

/** The short form of import-memory.long.test.ts, which posts a hundred thousand rows. */
test('the memory of an import does not grow with the rows: 25 MB of rows in a heap of 24 MB', async () => {
  const path = join(await testFolder(), 'rows.ndjson');
  await writeFile(path, manyRows(12_000, 1900));
  const judged = new Spawned('http://127.0.0.1:1', ['import', '--check', path], {
    nodeArgs: ['--max-old-space-size=24'],
  });
  expect([await judged.ended(), judged.out]).toEqual([0, '12,000 rows can be imported.\n']);
});
