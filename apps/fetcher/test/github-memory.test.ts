import { expect, test } from 'vitest';
import { fitMemory, type GithubMemory, readMemory, repositoryKeys } from '../src/adapters/github/memory.ts';

const w = Date.parse('2026-05-04T09:00:00Z');

function memoryOf(count: number, fields: Partial<GithubMemory> = {}): GithubMemory {
  const names = Array.from({ length: count }, (_, index) => `acme/service-${index}`);
  const entries = [...repositoryKeys(names).values()].map((key, index) => [key, [4_000_000_000 + index]] as const);
  return { w, r: Object.fromEntries(entries), ...fields };
}

function bytesOf(memory: GithubMemory): number {
  return Buffer.byteLength(JSON.stringify(memory));
}

test('a memory within the limit stays unchanged', () => {
  const memory = memoryOf(300);
  expect(fitMemory(memory, 8000, () => 0)).toBe(memory);
});

test('a memory over the limit drops the quietest repositories first and moves its instant back to cover them', () => {
  const memory = memoryOf(500);
  const fitted = fitMemory(memory, 8000, () => w - 1000);
  expect(bytesOf(fitted)).toBeLessThanOrEqual(8000);
  expect(Object.keys(fitted.r).length).toBeGreaterThan(330);
  expect(Object.keys(fitted.r)).toEqual(Object.keys(memory.r).slice(-Object.keys(fitted.r).length));
  expect([fitted.w, fitted.c]).toEqual([w - 1000, 1]);
});

test('a memory over the limit drops repositories with open deployments last', () => {
  const memory = memoryOf(500);
  const [quietest = ''] = Object.keys(memory.r);
  const open = { ...memory, r: { ...memory.r, [quietest]: [4_000_000_000, 3_999_999_999] } };
  expect(fitMemory(open, 8000, () => w).r[quietest]).toEqual([4_000_000_000, 3_999_999_999]);
});

test('a memory still over the limit then drops entries of the backfill, which starts over for those repositories', () => {
  const { r } = memoryOf(500);
  const d = Object.fromEntries(Object.keys(r).map((key, index) => [key, index % 2 === 0 ? 0 : 4_000_000_000 + index]));
  const fitted = fitMemory(memoryOf(500, { b: { h: w, p: 2, d } }), 5000, () => w);
  expect(bytesOf(fitted)).toBeLessThanOrEqual(5000);
  expect(fitted.b).toMatchObject({ h: w, p: 2, a: 1 });
  expect(Object.values(fitted.b?.d ?? {}).filter((id) => id === 0)).toHaveLength(250);
});

test.each([
  ['only the required members', { w, r: {} }],
  ['all members', { w, r: { abcdef: [7, 5, 6] }, b: { h: 1, p: 2, d: { abcdef: 3 }, a: 1 }, s: 2, c: 1 }],
])('reads a memory with %s unchanged', (_, memory) => {
  expect(readMemory(memory)).toBe(memory);
});

test.each([
  ['text', 'w'],
  ['a list', []],
  ['null', null],
  ['no instant', { r: {} }],
  ['an instant as text', { w: '1', r: {} }],
  ['no repositories', { w }],
  ['an entry without a mark', { w, r: { abcdef: [] } }],
  ['a mark as text', { w, r: { abcdef: ['7'] } }],
  ['a mark that is not an integer', { w, r: { abcdef: [7.5] } }],
  ['a backfill without a horizon', { w, r: {}, b: { p: 1, d: {} } }],
  ['a third pass', { w, r: {}, b: { h: 1, p: 3, d: {} } }],
  ['progress as text', { w, r: {}, b: { h: 1, p: 1, d: { abcdef: '1' } } }],
  ['a begin as text', { w, r: {}, s: 'now' }],
  ['another value for the cut', { w, r: {}, c: 2 }],
])('refuses %s as a memory', (_, memory) => {
  expect(readMemory(memory)).toBeUndefined();
});

test('repository keys have six characters and ignore the case of the path', () => {
  const [key = ''] = repositoryKeys(['acme/shop']).values();
  expect(key).toMatch(/^[\w-]{6}$/);
  expect([...repositoryKeys(['Acme/Shop']).values()]).toEqual([key]);
});

test('repository keys that would collide are longer', () => {
  // Their digests begin with UdZClY5 and UdZClYa.
  const keys = repositoryKeys(['acme/r54350', 'acme/shop', 'acme/r344724']);
  expect(keys.get('acme/r54350')).toBe('UdZClY5');
  expect(keys.get('acme/r344724')).toBe('UdZClYa');
  expect(keys.get('acme/shop')).toHaveLength(6);
});
