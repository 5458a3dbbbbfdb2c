import { answers, freePort, hangs, ScriptedServer } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { type Inputs, steps } from './support/tools.ts';

const invalid = '{"type":"/problems/validation","detail":"version is longer than 50 characters"}';

/** Runs the steps of all integrations in parallel, because they spend most of their time waiting for the timeout. */
async function expectWarnings(inputs: Inputs, sentence: string): Promise<void> {
  const ended = Object.entries(steps).map(async ([tool, step]) => ({ tool, ...(await step(inputs)) }));
  for (const { tool, code, stderr } of await Promise.all(ended)) {
    expect({ tool, code, stderr }).toEqual({ tool, code: 0, stderr: expect.stringContaining(sentence) });
    expect(stderr).toContain('shiplog-post: warning: ');
  }
}

test.each([
  ['hangs', hangs, 'no response'],
  ['answers 500', answers(500), 'last status: 500'],
  ['answers 401', answers(401), 'refused the event with 401'],
  ['answers 422', answers(422, invalid), 'refused the event with 422: version is longer'],
])('no integration fails a pipeline because the log %s', async (_how, act, sentence) => {
  const { url } = await ScriptedServer.open(act);
  await expectWarnings({ url, timeout: '1' }, sentence);
});

test('no integration fails a pipeline because the log is down', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  await expectWarnings({ url, timeout: '1' }, 'gave no usable response within 1 s');
});

test('no integration fails a pipeline because the address is missing; each warns at once', async () => {
  await expectWarnings({ url: '', timeout: '' }, 'No service address is set');
});
