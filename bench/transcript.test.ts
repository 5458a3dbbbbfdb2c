import { expect, test } from 'vitest';
import { stampText } from './harness/stamp.ts';
import { Transcript } from './harness/transcript.ts';

const frame = (number: number) =>
  `id: ${number}\ndata: {"deployment_id":"${stampText({ number, publishedAt: 1.5 })}"}\n\n`;

/** Passes chunks to a subscriber and returns its number of frame bytes. */
function feed(transcript: Transcript, chunks: readonly string[]): number {
  return chunks.reduce((bytes, chunk) => transcript.take(Buffer.from(chunk), bytes), 0);
}

test('subscribers get the same frames wherever their streams are split', () => {
  const transcript = new Transcript(3);
  const text = frame(0) + frame(2) + frame(1);
  feed(transcript, [text.slice(0, 30), text.slice(30)]);
  expect(feed(transcript, [text.slice(0, 100), text.slice(100, 101), text.slice(101)])).toBe(text.length);
  expect(transcript.frames.map(({ number }) => number)).toEqual([0, 2, 1]);
  expect(transcript.frames.at(-1)).toEqual({ number: 1, publishedAt: 1.5, id: '1', endsAt: text.length });
});

test('a ping between frames does not count as a frame', () => {
  const transcript = new Transcript(2);
  feed(transcript, [frame(0) + frame(1)]);
  expect(feed(transcript, [`${frame(0)}: ping\n\n`, ': ping\n\n', frame(1)])).toBe(transcript.frames.at(-1)?.endsAt);
});

test.each([
  ['misses a frame', [frame(0) + frame(1), frame(0) + frame(2)], 'two streams differ'],
  ['gets a frame twice, like all others', [frame(0) + frame(0)], 'event 0 arrived twice'],
  ['is the only one to get a frame twice', [frame(0) + frame(1), frame(0) + frame(0)], 'two streams differ'],
  ['gets a frame that was not published', [frame(3)], 'event 3 arrived twice or was never published'],
  ['gets a frame without a stamp', ['data: {}\n\n'], 'without a stamp'],
])('a run with a subscriber that %s is rejected', (_, streams, fault) => {
  const transcript = new Transcript(3);
  expect(() => {
    for (const stream of streams) feed(transcript, [stream]);
  }).toThrow(fault);
});
