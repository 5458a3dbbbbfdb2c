import type { DiscoveryList } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { bodyOf, type EventFields, unique } from '../support/api.ts';
import { nonEffective } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** Names in code point order. UTF-16 order would swap the last two, and locale order would move almost all. */
const byCodePoint = [
  '-',
  '0',
  '10',
  '2',
  'A',
  'B',
  'Z',
  '_',
  'a',
  'b',
  'ab',
  'z',
  'ä',
  'é',
  'ß',
  'Ω',
  '\uff5e',
  '\u{1f600}',
].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0) || a.length - b.length);

suite('discovery', (api, { testUnless }) => {
  const lists = [
    ['/api/services', 'service'],
    ['/api/environments', 'environment'],
  ] as const;

  const itemsOf = async (path: string, prefix: string) => {
    const { items } = bodyOf<DiscoveryList>(await api.get(path));
    return items.filter((item) => item.startsWith(prefix)).map((item) => item.slice(prefix.length));
  };

  const listsByCodePoint =
    ([path, field]: (typeof lists)[number]) =>
    async () => {
      const prefix = unique('sort');
      for (const name of [...byCodePoint].reverse()) await api.append({ [field]: `${prefix}${name}` });
      expect(await itemsOf(path, prefix)).toEqual(byCodePoint);
    };
  test('§2: /api/services is sorted by code point', listsByCodePoint(lists[0]));
  testUnless('environmentOrder')('§2: /api/environments is sorted by code point', listsByCodePoint(lists[1]));

  test.each(lists)('§2: %s lists each value once', async (path, field) => {
    const name = unique('once');
    await api.appendAll([{ [field]: name }, { [field]: name }, { [field]: name, status: 'failure' }]);
    expect(await itemsOf(path, name)).toEqual(['']);
  });

  testUnless('ingestStatuses').each(lists)(
    'reading 4.1: %s also lists names that have only non-effective events',
    async (path, field) => {
      const prefix = unique('quiet');
      const events: EventFields[] = nonEffective.map((status) => ({ status, [field]: `${prefix}-${status}` }));
      await api.appendAll(events);
      expect(await itemsOf(path, `${prefix}-`)).toEqual([...nonEffective].sort());
    },
  );

  test.each(lists)('§2: the body of %s has only one member, items', async (path) => {
    const { json } = await api.get(path);
    expect(Object.keys(json as object)).toEqual(['items']);
    const { items } = json as DiscoveryList;
    expect(new Set(items).size).toBe(items.length);
  });

  test('§4: /api/services and /api/environments ignore a service parameter', async () => {
    const [service, environment] = [unique(), unique('env')];
    await api.append({ service, environment });
    expect(await itemsOf(`/api/services?service=${service}x`, service)).toEqual(['']);
    expect(await itemsOf(`/api/environments?service=${service}x`, environment)).toEqual(['']);
  });
});
