import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../src/logger.ts';

test('a program can exit after the reader of its log has disconnected', async () => {
  const built = new URL('../dist/index.js', import.meta.url).href;
  const program = `
    const { createLogger } = await import('${built}');
    const logger = createLogger('info');
    logger.info('begun');
    process.stdin.resume().once('end', () => {
      logger.warn('lost');
      logger.warn('lost too');
      logger.fatal('ending');
      process.exit(3);
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await once(child.stdout, 'close');
  child.stdin.end();
  expect(await ended).toEqual([3, null]);
});

describe('repeated lines', () => {
  let lines: Record<string, unknown>[] = [];
  const everyMs = 60_000;

  function logger() {
    return createLogger('debug', { write: (line) => void lines.push(JSON.parse(line)) });
  }

  beforeEach(() => {
    vi.useFakeTimers();
    lines = [];
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  test('the first of repeated lines is written in full immediately, and one line per minute counts the others', () => {
    const log = logger();
    const refuse = () => log.warn({ err: new Error('no connection'), kind: 'unavailable' }, 'The database is away.');
    for (let n = 0; n < 500; n++) refuse();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 40, kind: 'unavailable', err: { stack: expect.stringContaining('at ') } });
    vi.advanceTimersByTime(everyMs);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ level: 40, msg: 'The database is away.', kind: 'unavailable', repeated: 499 });
    expect(lines[1]?.err).toEqual({ type: 'Error', message: 'no connection' });
    for (let n = 0; n < 7; n++) refuse();
    vi.advanceTimersByTime(everyMs);
    expect(lines.slice(2)).toEqual([expect.objectContaining({ repeated: 7 })]);
  });

  test('a line that repeats after a quiet minute is written in full', () => {
    const log = logger();
    log.warn({ err: new Error('a') }, 'lost');
    vi.advanceTimersByTime(everyMs);
    log.warn({ err: new Error('a') }, 'lost');
    expect(lines).toHaveLength(2);
    expect(lines[1]).not.toHaveProperty('repeated');
    expect(lines[1]).toHaveProperty('err.stack');
  });

  test('lines with different texts, reasons or levels are counted separately', () => {
    const log = logger();
    log.warn({ err: new Error('a') }, 'lost');
    log.warn({ err: new Error('b') }, 'lost');
    log.warn({ kind: 'unavailable' }, 'lost');
    log.error({ kind: 'unavailable' }, 'lost');
    log.warn({ kind: 'unavailable' }, 'found');
    expect(lines).toHaveLength(5);
  });

  test('reasons that differ only in numbers count as one', () => {
    const log = logger();
    for (const port of [5432, 5433, 5434])
      log.warn({ err: new Error(`connect ECONNREFUSED 10.0.0.1:${port}`) }, 'lost');
    expect(lines).toHaveLength(1);
  });

  test('child loggers share the counts of their parent', () => {
    const log = logger();
    for (let n = 0; n < 3; n++) log.child({ reqId: n }).warn({ kind: 'unavailable' }, 'lost');
    vi.advanceTimersByTime(everyMs);
    expect(lines).toEqual([
      expect.objectContaining({ reqId: 0, msg: 'lost' }),
      expect.objectContaining({ repeated: 2, msg: 'lost' }),
    ]);
    expect(lines[1]).not.toHaveProperty('reqId');
  });

  test('fatal lines, lines below warning and lines without an error are never collapsed', () => {
    const log = logger();
    for (let n = 0; n < 2; n++) {
      log.info({ err: new Error('a') }, 'going on');
      log.fatal({ err: new Error('a') }, 'ending');
      log.warn({ reason: 'answered 503' }, 'lost');
    }
    expect(lines).toHaveLength(6);
  });

  test('the number of lines is limited, however many reasons there are', () => {
    const log = logger();
    const letters = (n: number) => n.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '');
    for (let n = 0; n < 5000; n++) log.error({ err: new Error(`strange ${letters(n)}`) }, 'internal error');
    expect(lines.length).toBeLessThan(150);
    vi.advanceTimersByTime(everyMs);
    expect(lines.at(-1)).toMatchObject({ msg: 'internal error' });
    const counted = lines.reduce((sum, line) => sum + Number(line.repeated ?? 1), 0);
    expect(counted).toBe(5000);
  });
});
