import type { FoldComparison } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { bodyOf, freshEvent, withQuery } from '../support/api.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { keyHeaders } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('control: folds', (api) => {
  const key = () => ({ [keyHeaders.control]: api.keys.control });
  const path = (query: Record<string, string>) => withQuery('/api/control/folds', query);

  test('reading 8.10: the parts cover every fold, and none differs from the log', async () => {
    const headers = { [keyHeaders.api]: api.keys.api };
    await api.send({ method: 'POST', path: '/api/deployments', headers, body: JSON.stringify(freshEvent()) });
    const parts: FoldComparison[] = [];
    let next: FoldComparison['next'] = null;
    do {
      parts.push(bodyOf(await api.send({ path: path(next ?? {}), headers: key() })));
      next = parts.at(-1)?.next ?? null;
    } while (next);
    const folds = parts.map(({ fold }) => fold);
    expect(new Set(folds).size).toBeGreaterThan(10);
    expect(parts.flatMap(({ differences }) => differences)).toEqual([]);
    for (const { repair } of parts) expect(repair).toMatch(/^update /);
  });

  test.each([
    [{ fold: 'nothing' }, '/fold'],
    [{ fold: '' }, '/fold'],
    [{ fold: 'toString' }, '/fold'],
    [{ fold: 'lead_times', after: 'x' }, '/after'],
    [{ fold: 'event_counts', after: '99999999999' }, '/after'],
    [{ fold: 'event_counts', after: '1e3' }, '/after'],
  ] as const)('reading 8.10: %j returns 422 at %s', async (query, pointer) => {
    expectFaults(await api.send({ path: path(query), headers: key() }), [pointer]);
  });

  test('reading 8.10: only the control key gives access', async () => {
    expectRefusal(await api.send({ path: path({}) }), 'unauthorized');
    expectRefusal(await api.send({ path: path({}), headers: { [keyHeaders.control]: api.keys.api } }), 'unauthorized');
  });
});
