import { answers, freePort, hangs, ScriptedServer } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { steps } from './support/tools.ts';

const invalid = '{"type":"/problems/validation","detail":"version is longer than 50 characters"}';

describe.each(Object.entries(steps))('%s never fails a pipeline', (_, step) => {
  test.each([
    ['hangs', hangs, 'no answer'],
    ['answers 500', answers(500), 'last answer: 500'],
    ['answers 401', answers(401), 'refused the event with 401'],
    ['answers 422', answers(422, invalid), 'refused the event with 422: version is longer'],
  ])('because the log %s', async (_how, act, sentence) => {
    const { url } = await ScriptedServer.open(act);
    const { code, stderr } = await step({ url, timeout: '1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('shiplog-post: warning: ') });
    expect(stderr).toContain(sentence);
  });

  test('because the log is down', async () => {
    const { code, stderr } = await step({ url: `http://127.0.0.1:${await freePort()}`, timeout: '1' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('did not answer usably within 1 s') });
  });

  test('because the address is missing, and warns at once', async () => {
    const { code, stderr } = await step({ url: '', timeout: '' });
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('No service address is set'),
    });
  });
});
