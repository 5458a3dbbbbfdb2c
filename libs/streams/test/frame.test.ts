import { expect, test } from 'vitest';
import { frameText, pingText, retryText } from '../src/index.ts';

test('a frame consists of its id, event and data lines and one blank line', () => {
  expect(frameText({ id: '7', event: 'deployment', data: '{"a":1}' })).toBe(
    'id: 7\nevent: deployment\ndata: {"a":1}\n\n',
  );
});

test('a frame without an id has no id line', () => {
  expect(frameText({ event: 'error', data: '{}' })).toBe('event: error\ndata: {}\n\n');
});

test('the reconnect time and the heartbeat are separate blocks', () => {
  expect(retryText(2000)).toBe('retry: 2000\n\n');
  expect(pingText).toBe(': ping\n\n');
});
