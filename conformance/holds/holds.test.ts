import { expect, test } from 'vitest';
import { bodyOf, freshEvent, unique } from '../support/api.ts';
import { expectFaults, expectRefusal } from '../support/refusals.ts';
import { keyHeaders, nil, uuid7 } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

interface Hold {
  readonly id: string;
  readonly from: string;
  readonly until: string | null;
  readonly released: { readonly at: string } | null;
  readonly exceptions: readonly { readonly created_at: string }[];
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

suite('holds', (api) => {
  const key = () => ({ [keyHeaders.api]: api.keys.api });
  const post = (path: string, body?: object, headers: Record<string, string> = key()) =>
    api.send({ method: 'POST', path, headers, body: body && JSON.stringify(body) });
  const freeze = (service: string, more: object = {}) => ({
    kind: 'freeze',
    services: [service],
    environments: ['*'],
    until: inHours(2),
    reason: 'Christmas',
    ...more,
  });
  const make = async (body: object) => (await post('/api/holds', body)).json as Hold;
  const list = async (query: string) => bodyOf<Page<Hold>>(await api.send({ path: `/api/holds?${query}` })).items;

  test('holds 1, 2: a hold is stored as sent, with every member, and is found by its id', async () => {
    const service = unique();
    const made = await post(
      '/api/holds',
      freeze(service, { by: 'Ines', url: 'https://chat.example/1', source: 'chat', source_id: '7' }),
    );
    expect(made.status).toBe(201);
    const hold = made.json as Hold;
    expect(made.headers.location).toBe(`/api/holds/${hold.id}`);
    expect(hold).toEqual({
      id: expect.stringMatching(uuid7),
      kind: 'freeze',
      services: [service],
      environments: ['*'],
      version: null,
      from: expect.any(String),
      until: expect.any(String),
      reason: 'Christmas',
      url: 'https://chat.example/1',
      by: 'Ines',
      source: 'chat',
      source_id: '7',
      created_at: expect.any(String),
      released: null,
      exceptions: [],
    });
    expect(bodyOf(await api.send({ path: `/api/holds/${hold.id}` }))).toEqual(hold);
    expect(await list(`services=${service}`)).toEqual([hold]);
    for (const id of [nil, 'no-uuid']) expectRefusal(await api.send({ path: `/api/holds/${id}` }), 'not-found');
  });

  test('holds 6.3: every error in a hold has its pointer', async () => {
    const faults: [object, string[]][] = [
      [{ until: undefined }, ['/until']],
      [{ kind: 'bad' }, ['/version']],
      [{ version: '1' }, ['/version']],
      [{ services: [] }, ['/services']],
      [{ services: ['a', 'b\\'] }, ['/services/1']],
      [{ from: inHours(-1) }, ['/from']],
      [{ from: inHours(24 * 401), until: inHours(24 * 402) }, ['/from']],
      [{ from: inHours(3) }, ['/until']],
      [{ until: inHours(-1) }, ['/until']],
      [{ until: inHours(24 * 401) }, ['/until']],
      [{ reason: '' }, ['/reason']],
      [{ url: 'ftp://x' }, ['/url']],
      [{ source: 'A b' }, ['/source']],
      [{ other: 1 }, ['/other']],
    ];
    for (const [more, pointers] of faults) expectFaults(await post('/api/holds', freeze('a', more)), pointers);
    expectRefusal(await post('/api/holds', freeze('a'), {}), 'unauthorized');
    const bad = await make({ kind: 'bad', services: ['a'], environments: ['*'], version: '1.4.2', reason: 'broken' });
    expect(bad.until).toBeNull();
  });

  test('holds 6.1, 6.2: the first release wins, and a hold that is over can be neither released nor excepted', async () => {
    const service = unique();
    const { id } = await make(freeze(service));
    const released = await post(`/api/holds/${id}/release`);
    expect(released.status).toBe(200);
    expect(bodyOf<Hold>(released).released).toEqual({ at: expect.any(String), by: null, reason: null });
    expect((await post(`/api/holds/${id}/release`, { reason: 'again' })).status).toBe(409);
    expect(
      (await post(`/api/holds/${id}/exceptions`, { services: ['*'], until: inHours(1), reason: 'x' })).status,
    ).toBe(409);
    expect(await list(`services=${service}`)).toEqual([]);
    expectRefusal(await post(`/api/holds/${nil}/release`), 'not-found');
    const early = await make(freeze(service, { from: inHours(1) }));
    await post(`/api/holds/${early.id}/release`, { reason: 'not needed' });
    expect(await list(`services=${service}&upcoming=5`)).toEqual([]);
    expect(bodyOf<Hold>(await api.send({ path: `/api/holds/${early.id}` })).id).toBe(early.id);
  });

  test('holds 6.3: an exception ends within its hold', async () => {
    const { id } = await make(freeze(unique()));
    const except = (until: string) =>
      post(`/api/holds/${id}/exceptions`, { services: ['a*'], until, reason: 'hotfix', by: 'Ben' });
    expectFaults(await except(inHours(3)), ['/until']);
    expectFaults(await except(inHours(-1)), ['/until']);
    const made = await except(inHours(1));
    expect(made.status).toBe(201);
    expect((made.json as Hold).exceptions).toMatchObject([{ services: ['a*'], reason: 'hotfix', by: 'Ben' }]);
  });

  test('holds 6.5, 6.6: a list covers a moment or a period, and globs that some name could match', async () => {
    const service = unique();
    const now = await make(freeze(`${service}-*`));
    const later = await make(freeze(`${service}-*`, { from: inHours(5), until: inHours(6) }));
    expect(await list(`services=*-core`)).toContainEqual(now);
    const scope = `services=${service}-core`;
    expect(await list(scope)).toEqual([now]);
    expect(await list(`${scope}&upcoming=6`)).toEqual([now, later]);
    expect(await list(`${scope}&at=${inHours(5.5)}`)).toEqual([later]);
    expect(await list(`${scope}&at=${later.from}`)).toEqual([later]);
    expect(await list(`${scope}&at=${later.until}`)).toEqual([]);
    expect(await list(`${scope}&from=${inHours(0)}&to=${later.from}`)).toEqual([now]);
    expect(await list(`${scope}&from=${inHours(0)}&to=${inHours(9)}`)).toEqual([now, later]);
    expect(await list(`${scope}&kind=lock`)).toEqual([]);
    expect(await list(`services=other`)).not.toContainEqual(now);
    const faulty = `/api/holds?from=${inHours(0)}&to=${inHours(1)}`;
    expectFaults(await api.send({ path: `${faulty}&at=${inHours(0)}` }), ['/at']);
    expectFaults(await api.send({ path: `${faulty}&upcoming=1` }), ['/upcoming']);
    expectFaults(await api.send({ path: `/api/holds?from=${inHours(0)}` }), ['/to']);
    const first = bodyOf<Page<Hold>>(await api.send({ path: `/api/holds?${scope}&upcoming=6&limit=1` }));
    expect(first.items).toEqual([now]);
    expect(await list(`${scope}&upcoming=6&limit=1&cursor=${first.next_cursor}`)).toEqual([later]);
    const etag = (await api.send({ path: `/api/holds/${now.id}` })).headers.etag ?? '';
    expect((await api.send({ path: `/api/holds/${now.id}`, headers: { 'If-None-Match': etag } })).status).toBe(304);
  });

  test('holds 2.2, 6.8, 6.9: a deployment that begins within a hold is a breach, by its first in-progress row', async () => {
    const service = unique();
    const from = new Date(Date.now() - 240_000).toISOString();
    const hold = await make(freeze(service, { from }));
    const bad = await make({
      from,
      kind: 'bad',
      services: [service],
      environments: ['prod'],
      version: 'abc1234',
      reason: 'broken',
    });
    const at = (seconds: number) => new Date(Date.parse(hold.from) + seconds * 1000).toISOString();
    const event = (deployment_id: string, status: string, happened_at: string, more = {}) =>
      api.append(
        freshEvent({ service, environment: 'prod', deployment_id, status: status as never, happened_at, ...more }),
      );
    await event('before', 'in-progress', at(-60));
    await event('before', 'success', at(1));
    const begun = await event('begun', 'in-progress', at(2), { sha: 'abc1234' });
    await event('begun', 'success', at(3));
    const ended = await event('ended', 'failure', at(4));
    await event('cancelled', 'pending', at(5));
    await event('cancelled', 'cancelled', at(6));
    const path = `/api/holds/breaches?services=${service}`;
    const { items } = bodyOf<Page<Record<string, unknown>>>(await api.send({ path }));
    const breach = (hold_id: string, kind: string, { id, deployment_id }: { id: string; deployment_id: string }) => ({
      hold_id,
      kind,
      service,
      environment: 'prod',
      deployment_id,
      event_id: id,
      at: expect.any(String),
    });
    expect(items).toEqual([
      breach(hold.id, 'freeze', ended),
      breach(bad.id, 'bad', begun),
      breach(hold.id, 'freeze', begun),
    ]);
    const page = bodyOf<Page<unknown>>(await api.send({ path: `${path}&limit=1` }));
    expect(page.items).toHaveLength(1);
    const rest = bodyOf<Page<unknown>>(await api.send({ path: `${path}&cursor=${page.next_cursor}` }));
    expect([...page.items, ...rest.items]).toEqual(items);
  });

  test('holds 2.3, 6.11: every act sends one frame to the stream of component events', async () => {
    const { id } = await make(freeze(unique()));
    await post(`/api/holds/${id}/release`);
    const { items } = bodyOf<Page<{ payload?: { hold_id: string } }>>(
      await api.send({ path: '/api/control/events?event_type=hold-changed&component_id=shiplog&limit=500' }),
    );
    const own = items.filter(({ payload }) => payload?.hold_id === id);
    expect(own).toHaveLength(2);
    expect(own[0]).toMatchObject({ event_type: 'hold-changed', state: 'running', correlation_id: null });
  });

  test('holds 6.12: the calendar is valid, with a stable UID for each hold', async () => {
    const service = unique();
    const hold = await make(freeze(service, { reason: `a, b; c\\ ${'é'.repeat(60)}` }));
    const answer = await api.send({ path: `/api/holds.ics?services=${service}` });
    expect(answer.headers['content-type']).toBe('text/calendar; charset=utf-8');
    const lines = answer.text.split('\r\n');
    expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', '']);
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    const unfolded = answer.text.replaceAll('\r\n ', '');
    expect(unfolded).toContain(`UID:${hold.id}@shiplog\r\n`);
    expect(unfolded).toContain('SUMMARY:Freeze: a\\, b\\; c\\\\ é');
    expect(unfolded).toMatch(/\r\nDTSTART:\d{8}T\d{6}Z\r\nDTEND:\d{8}T\d{6}Z\r\n/);
  });
});
