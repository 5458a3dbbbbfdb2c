import { expect, test } from 'vitest';
import { expectRefusal } from '../support/refusals.ts';
import { nil } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

suite('lookup', (api) => {
  test('§4: the lookup of an id returns the same event as its post', async () => {
    const event = await api.append({ version: '1.4.2', parent_deployments: [] }, { 'X-Progress-Reporter': 'a/b' });
    const answer = await api.get(`/api/deployments/${event.id}`);
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual(event);
  });

  test('§4: an id in upper case finds its event', async () => {
    const event = await api.append();
    expect((await api.get(`/api/deployments/${event.id.toUpperCase()}`)).json).toEqual(event);
  });

  test.each([
    nil,
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
    'b5e9c0c4-6d0a-4b6f-8f0e-0a3c0f6e1d2c',
  ])('§4: the unknown id %s returns 404', async (id) => {
    expectRefusal(await api.get(`/api/deployments/${id}`), 'not-found');
  });

  test.each([
    'x',
    '7',
    'null',
    'undefined',
    '019c5d1e3f9a70009b1d7f0f3a1c2e55',
    '{019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55}',
    'urn:uuid:019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e5',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e555',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e5g',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55%20',
    '%20019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55%0A',
    '019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55%00',
    '%00',
    '%2F',
    '..',
    '%2e%2e',
    '%F0%9F%98%80',
    "'%20or%201=1",
    '__proto__',
    'x'.repeat(8000),
  ])('reading 3.7: the id %s, which is not a UUID, returns 404', async (id) => {
    expectRefusal(await api.get(`/api/deployments/${id}`), 'not-found');
  });

  test.each(['%', '%z', '%zz', '%ff', '%c3%28', '%ed%a0%80', 'a%'])(
    'reading 1.6: an id with invalid percent-encoding returns 404: %s',
    async (id) => {
      expectRefusal(await api.get(`/api/deployments/${id}`), 'not-found');
    },
  );
});
