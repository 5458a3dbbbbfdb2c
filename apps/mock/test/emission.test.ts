import type { IngestFrame } from '@shiplog/companions';
import { builtInDemoSet } from '@shiplog/scenarios';
import { type StreamReader, TestClock } from '@shiplog/testing';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Emission } from '../src/emission.ts';
import { testMock } from './support/mock.ts';

const { templates } = builtInDemoSet();
const soon = { emitIntervalMs: 5 };

describe('the schedule of emission', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function emission(names: readonly string[] = ['a', 'b', 'c']) {
    const emitted: string[] = [];
    return {
      emitted,
      emission: new Emission({ templates: names, intervalMs: 8000, emit: (name) => emitted.push(name) }),
    };
  }

  test('the first event is emitted after 8 s, then one every 8 s', () => {
    const { emitted, emission: emitter } = emission();
    vi.advanceTimersByTime(60_000);
    expect(emitted).toEqual([]);
    emitter.start();
    vi.advanceTimersByTime(7999);
    expect(emitted).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(emitted).toEqual(['a']);
    vi.advanceTimersByTime(16_000);
    expect(emitted).toEqual(['a', 'b', 'c']);
  });

  test('after the last template, emission continues with the first', () => {
    const { emitted, emission: emitter } = emission();
    emitter.start();
    vi.advanceTimersByTime(7 * 8000);
    expect(emitted).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  });

  test('starting emission again keeps its schedule', () => {
    const { emitted, emission: emitter } = emission();
    emitter.start();
    vi.advanceTimersByTime(5000);
    emitter.start();
    vi.advanceTimersByTime(3000);
    expect(emitted).toEqual(['a']);
    vi.advanceTimersByTime(8000);
    expect(emitted).toEqual(['a', 'b']);
  });

  test('emission that is stopped and started continues with the next template', () => {
    const { emitted, emission: emitter } = emission();
    emitter.start();
    vi.advanceTimersByTime(8000);
    emitter.stop();
    expect(emitter.emitting).toBe(false);
    vi.advanceTimersByTime(80_000);
    expect(emitted).toEqual(['a']);
    expect(vi.getTimerCount()).toBe(0);
    emitter.start();
    vi.advanceTimersByTime(8000);
    expect(emitted).toEqual(['a', 'b']);
  });

  test('after a rewind, emission starts again with the first template', () => {
    const { emitted, emission: emitter } = emission();
    emitter.start();
    vi.advanceTimersByTime(16_000);
    emitter.rewind();
    vi.advanceTimersByTime(8000);
    expect(emitted).toEqual(['a', 'b', 'a']);
  });

  test('without templates nothing is emitted', () => {
    const { emitted, emission: emitter } = emission([]);
    emitter.start();
    vi.advanceTimersByTime(80_000);
    expect(emitted).toEqual([]);
  });
});

/** The frames of `/_mock/stream` so far. */
function framesOf(stream: StreamReader): IngestFrame[] {
  return stream.frames.map(({ data }) => JSON.parse(data));
}

test('the mock emits the templates in order with the current time', async () => {
  const clock = new TestClock();
  const mock = await testMock({ times: soon, now: () => clock.now() });
  const stream = await mock.stream('/_mock/stream');
  await mock.post('/_mock/emit', { enabled: true });
  await stream.take(templates.length + 1);
  await mock.post('/_mock/emit', { enabled: false });
  for (const [index, { event, source, received_at }] of framesOf(stream).entries()) {
    const now = clock.now().toISOString();
    expect(event).toEqual({ ...templates[index % templates.length], id: event.id, happened_at: now });
    expect({ source, received_at }).toEqual({ source: 'sse-emitter', received_at: now });
  }
});

test('emitted events are stored and published like posted ones', async () => {
  const mock = await testMock({ times: soon });
  const stream = await mock.stream('/api/events/stream');
  await mock.post('/_mock/emit');
  await stream.take(2);
  const { event_count } = await mock.post<{ event_count: number }>('/_mock/emit');
  // The last frames may not have arrived yet.
  await stream.take(event_count - 47);
  expect(event_count).toBe(47 + stream.frames.length);
  for (const { event, id, data } of stream.frames) {
    expect(event).toBe('deployment');
    expect((await mock.send(`/api/deployments/${id}`)).body).toEqual(JSON.parse(data));
  }
});

test('/_mock/reset restarts the templates, /_mock/demo/reset does not', async () => {
  const mock = await testMock({ times: soon });
  const stream = await mock.stream('/_mock/stream');
  const emitted = () => framesOf(stream).map(({ event: { id: _, happened_at: __, ...template } }) => template);
  /** Emits at least one event. Resolves when emission is off and the frames of all emitted events have arrived. */
  const emitOne = async () => {
    const before = stream.frames.length;
    const { event_count: from } = await mock.status();
    await mock.post('/_mock/emit', { enabled: true });
    await stream.take(before + 1);
    const { event_count: to } = await mock.post<{ event_count: number }>('/_mock/emit', { enabled: false });
    await stream.take(before + to - from);
  };
  await emitOne();
  await mock.post('/_mock/demo/reset');
  await emitOne();
  const untilReset = emitted();
  expect(untilReset).toEqual(templates.slice(0, untilReset.length));
  await mock.post('/_mock/reset');
  await emitOne();
  expect(emitted()[untilReset.length]).toEqual(templates[0]);
});
