import { expect, test } from 'vitest';
import { bodyOf, freshEvent, unique } from '../support/api.ts';
import { expectRefusal } from '../support/refusals.ts';
import { keyHeaders, nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

interface Page {
  readonly items: readonly Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/** Access without its settings: the parts that always exist. */
suite('access', (api) => {
  const control = () => ({ [keyHeaders.control]: api.keys.control });
  const shared = () => ({ [keyHeaders.api]: api.keys.api });

  test('access 2.4, 9.8: /api/access/self identifies the sender of the shared keys, and returns 401 without a credential', async () => {
    const self = (headers: Record<string, string>) => api.send({ path: '/api/access/self', headers });
    expectRefusal(await self({}), 'unauthorized');
    expectRefusal(await self({ [keyHeaders.api]: 'wrong' }), 'unauthorized');
    const everywhere = { services: ['*'], environments: ['*'] };
    expect(bodyOf(await self(shared()))).toEqual({
      kind: 'shared',
      id: null,
      name: null,
      may: {
        post: everywhere,
        hold: everywhere,
        report: ['*'],
        state: ['*'],
        outage: true,
        read: true,
        control: false,
      },
      expires: null,
    });
    expect(bodyOf(await self(control()))).toMatchObject({ kind: 'shared', may: { post: null, control: true } });
  });

  test('access 4.1, 9.1: the proof of an event is that of the shared key', async () => {
    const stored = await api.append(freshEvent());
    const proof = await api.send({ path: `/api/deployments/${stored.id}/proof` });
    expect(bodyOf(proof)).toEqual({
      kind: 'shared',
      key: null,
      token: null,
      verified_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      claims: [],
    });
    for (const id of [nil, unique()])
      expectRefusal(await api.send({ path: `/api/deployments/${id}/proof` }), 'not-found');
  });

  test('access 6, 9.27: acts and pins need the control key and are paginated', async () => {
    for (const path of ['/api/access/acts', '/api/access/pins']) {
      expectRefusal(await api.send({ path }), 'unauthorized');
      expectRefusal(await api.send({ path, headers: shared() }), 'unauthorized');
      const page = bodyOf<Page>(await api.send({ path: `${path}?limit=1`, headers: control() }));
      expect(page).toEqual({ items: expect.any(Array), next_cursor: page.next_cursor });
      expectRefusal(await api.send({ path: `${path}?cursor=x`, headers: control() }), 'validation');
    }
    expectRefusal(await api.send({ path: '/api/access/acts?kind=other', headers: control() }), 'validation');
    const forget = { method: 'DELETE', path: '/api/access/pins/github/acme%2Fpayments' };
    expectRefusal(await api.send(forget), 'unauthorized');
    expectRefusal(await api.send({ ...forget, headers: control() }), 'not-found');
  });

  test('access 9.26: with open reads, a wall display gets no session', async () => {
    const open = (headers: Record<string, string>) =>
      api.send({ method: 'POST', path: '/api/access/session', headers });
    expectRefusal(await open({}), 'unauthorized');
    expectRefusal(await open(shared()), 'forbidden');
  });
});
