import { beforeEach, expect, test } from 'vitest';
import { pauseWhileBusy } from '../src/log-stream.ts';
import { SharedPages } from '../src/shared-pages.ts';
import { MemoryLog } from './support/memory-log.ts';
import { turn } from './support/turn.ts';

let log: MemoryLog;
let pages: SharedPages;
let pauses: number;
let reads: number;
const stays = () => true;

beforeEach(() => {
  log = new MemoryLog(2);
  for (const key of ['a', 'b', 'a', 'b', 'a']) log.append(key);
  pauses = 0;
  reads = 0;
  pages = new SharedPages({
    log,
    onRead: () => {
      reads += 1;
    },
    pause: async () => {
      pauses += 1;
    },
  });
});

async function arrive(): Promise<void> {
  await turn();
  for (const read of log.held) read.arrive();
  await turn();
}

test('readers at the same position share one page, even if one arrives during the read', async () => {
  const first = pages.read('', undefined, stays);
  const second = pages.read('', undefined, stays);
  await turn();
  const third = pages.read('', undefined, stays);
  await arrive();
  expect(await second).toBe(await first);
  expect(await third).toBe(await first);
  expect(reads).toBe(1);
});

test('a request after a page was delivered reads the log again', async () => {
  const first = pages.read('00000004', undefined, stays);
  await arrive();
  log.append('b');
  const second = pages.read('00000004', undefined, stays);
  await arrive();
  expect((await first).entries).toHaveLength(1);
  expect((await second).entries).toHaveLength(2);
});

test('readers at different positions or with different filters get separate pages, one at a time', async () => {
  const asked = [
    pages.read('', undefined, stays),
    pages.read('00000002', undefined, stays),
    pages.read('', 'a', stays),
    pages.read('', 'b', stays),
  ];
  for (const _ of asked) {
    await turn();
    expect(log.held.size).toBe(1);
    await arrive();
  }
  const [all, later, ofA, ofB] = await Promise.all(asked);
  expect(all?.entries.map(({ id }) => id)).toEqual(['00000001', '00000002']);
  expect(later?.entries.map(({ id }) => id)).toEqual(['00000003', '00000004']);
  expect(ofA?.entries.map(({ key }) => key)).toEqual(['a']);
  expect(ofB?.entries.map(({ key }) => key)).toEqual(['b']);
});

test('the reader nearest to the head is served first', async () => {
  const order: string[] = [];
  const positions = ['', '00000001', '00000003', '00000002'];
  const asked = positions.map((position) => pages.read(position, undefined, stays).then(() => order.push(position)));
  for (const _ of positions) await arrive();
  await Promise.all(asked);
  // The page of the first request comes first, because no other request was waiting at that time.
  expect(order).toEqual(['', '00000003', '00000002', '00000001']);
});

test('a failed read fails for all waiting readers but not for later ones', async () => {
  const failing = [pages.read('', undefined, stays), pages.read('', undefined, stays)].map((page) =>
    page.catch(String),
  );
  const other = pages.read('00000002', undefined, stays);
  await turn();
  for (const read of log.held) read.fail();
  expect(await Promise.all(failing)).toEqual(Array(2).fill('Error: the log cannot be read'));
  await arrive();
  expect((await other).entries).toHaveLength(2);
  const again = pages.read('', undefined, stays);
  await arrive();
  expect((await again).entries).toHaveLength(2);
});

test('reading pauses after every 500 entries, whatever the number of pages', async () => {
  log = new MemoryLog(300);
  for (let n = 0; n < 1500; n += 1) log.append('a');
  pages = new SharedPages({
    log,
    onRead: () => undefined,
    pause: async () => {
      pauses += 1;
    },
  });
  const seen: number[] = [];
  for (let position = ''; position < '00001500'; position = String(Number(position) + 300).padStart(8, '0')) {
    const page = pages.read(position, undefined, stays);
    await arrive();
    await page;
    seen.push(pauses);
  }
  expect(seen).toEqual([0, 1, 1, 2, 2]);
});

test('a page is not read if all its readers have disconnected', async () => {
  const first = pages.read('', undefined, stays);
  const gone = pages.read('00000002', undefined, () => false);
  const stayed = [() => false, stays].map((isWanted) => pages.read('00000003', undefined, isWanted));
  await arrive();
  await arrive();
  await first;
  expect((await gone).entries).toEqual([]);
  expect((await stayed[0])?.entries).toHaveLength(2);
  expect(reads).toBe(2);
});

test('long work without waits still yields to the event loop', async () => {
  const breathe = pauseWhileBusy();
  const startedAt = performance.now();
  while (performance.now() - startedAt < 20);
  let hadTheLoop = false;
  setTimeout(() => {
    hadTheLoop = true;
  }, 1);
  await breathe();
  expect(hadTheLoop).toBe(true);
});
