import { expect, test } from 'vitest';
import { drivenUpstream } from './support/driver.ts';
import { routes } from './support/upstream.ts';

const resetId = '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55';

/** The output of a feed for this upstream text, without the beginning of the stream. */
async function passedOn(name: 'control' | 'components', sent: string, frames: number) {
  const { driver, upstream } = await drivenUpstream();
  const feed = await driver.feed(name);
  await upstream.send(routes[name], sent);
  await feed.take(frames);
  return { text: feed.text.replace('retry: 2000\n\n', ''), driver, upstream };
}

test.each([
  ['a known type', `event: reset-started\nid: x\ndata: {"id":"x","type":"reset-started"}\n\n`],
  ['an unknown type', `event: reset-paused\nid: x\ndata: {"id":"x","type":"reset-paused","more":[1]}\n\n`],
  ['data that is not JSON', 'event: reset-initiated\nid: x\ndata: {"id":\n\n'],
  ['JSON that is not an object', 'event: reset-initiated\nid: x\ndata: null\n\n'],
  ['fields of wrong types', 'event: reset-initiated\nid: x\ndata: {"id":7,"type":"reset-initiated"}\n\n'],
  ['unusual numbers and escapes', 'event: a\ndata: {"n":1.0,"big":12345678901234567890,"s":"\\u00e9\\ud800"}\n\n'],
  ['no id', 'event: reset-started\ndata: {}\n\n'],
  ['letters of every kind', 'event: ☂\nid: ü\ndata: "🚢 \u2028"\n\n'],
])('a control frame with %s is passed on unchanged', async (_, frame) => {
  const { text, driver } = await passedOn('control', frame, 1);
  expect(text).toBe(frame);
  expect(await driver.status()).toMatchObject({ state: 'idle', reset_state: 'idle' });
});

test('a frame with a component report is passed on unchanged', async () => {
  const frame = `id: ${resetId}\nevent: component\ndata: {"id":"${resetId}","event_type":"rate-limit","payload":{"n":1.0}}\n\n`;
  expect((await passedOn('components', frame, 1)).text).toBe(frame);
});

test('a frame in another format is passed on in the format of the feeds, with its content unchanged', async () => {
  const sent = ': a comment\n\ndata:one\r\ndata: two\r\nevent:other\r\nretry: 7\r\n\r\n';
  expect((await passedOn('control', sent, 1)).text).toBe('event: other\ndata: one two\n\n');
});

test('text that is not a frame is skipped; the next frame is passed on', async () => {
  const { text } = await passedOn('control', 'event: empty\n\nid: y\n\nnonsense\n\nevent: last\ndata: 1\n\n', 1);
  expect(text).toBe('event: last\ndata: 1\n\n');
});

test('unreadable frames have no effect, even between readable frames', async () => {
  const begins = `id: ${resetId}\nevent: reset-initiated\ndata: {"id":"${resetId}","type":"reset-initiated","component":"*"}\n\n`;
  const { upstream, driver } = await passedOn('control', `event: reset-initiated\ndata: [\n\n${begins}data: {}\n\n`, 3);
  await upstream.until(() => upstream.reports.length === 1);
  expect(await driver.status()).toMatchObject({ state: 'blocked', correlation_id: resetId });
});
