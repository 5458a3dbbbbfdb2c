import { beforeEach, expect, test } from 'vitest';
import { breathing } from '../src/breathing.ts';
import { SharedPages } from '../src/shared-pages.ts';
import { MemoryLog } from './support/memory-log.ts';
import { turn } from './support/turn.ts';

let log: MemoryLog;
let pages: SharedPages;
let breaths: number;
let reads: number;

beforeEach(() => {
  log = new MemoryLog(2);
  for (const key of ['a', 'b', 'a', 'b', 'a']) log.append(key);
  breaths = 0;
  reads = 0;
  pages = new SharedPages({
    log,
    onRead: () => {
      reads += 1;
    },
    breathe: async () => {
      breaths += 1;
    },
  });
});

async function arrive(): Promise<void> {
  await turn();
  for (const read of log.held) read.arrive();
  await turn();
}

test('readers at one position are given one page, also one who comes while it is read', async () => {
  const first = pages.read('', undefined);
  const second = pages.read('', undefined);
  await turn();
  const third = pages.read('', undefined);
  await arrive();
  expect(await second).toBe(await first);
  expect(await third).toBe(await first);
  expect(reads).toBe(1);
});

test('who asks after a page has come is given what the log has then', async () => {
  const first = pages.read('00000004', undefined);
  await arrive();
  log.append('b');
  const second = pages.read('00000004', undefined);
  await arrive();
  expect((await first).entries).toHaveLength(1);
  expect((await second).entries).toHaveLength(2);
});

test('readers at different positions, or with different filters, have a page each, one after the other', async () => {
  const asked = [
    pages.read('', undefined),
    pages.read('00000002', undefined),
    pages.read('', 'a'),
    pages.read('', 'b'),
  ];
  for (let done = 0; done < asked.length; done += 1) {
    await turn();
    expect(log.held.size).toBe(1);
    expect(breaths).toBe(done);
    await arrive();
  }
  const [all, later, ofA, ofB] = await Promise.all(asked);
  expect(all?.entries.map(({ id }) => id)).toEqual(['00000001', '00000002']);
  expect(later?.entries.map(({ id }) => id)).toEqual(['00000003', '00000004']);
  expect(ofA?.entries.map(({ key }) => key)).toEqual(['a']);
  expect(ofB?.entries.map(({ key }) => key)).toEqual(['b']);
});

test('a read that fails fails for all who waited for it, and for nobody after them', async () => {
  const failing = [pages.read('', undefined), pages.read('', undefined)].map((page) => page.catch(String));
  const other = pages.read('00000002', undefined);
  await turn();
  for (const read of log.held) read.fail();
  expect(await Promise.all(failing)).toEqual(Array(2).fill('Error: the log cannot be read'));
  await arrive();
  expect((await other).entries).toHaveLength(2);
  const again = pages.read('', undefined);
  await arrive();
  expect((await again).entries).toHaveLength(2);
});

test('what works without a pause lets others have the loop', async () => {
  const breathe = breathing();
  const startedAt = performance.now();
  while (performance.now() - startedAt < 20);
  let hadTheLoop = false;
  setTimeout(() => {
    hadTheLoop = true;
  }, 1);
  await breathe();
  expect(hadTheLoop).toBe(true);
});
