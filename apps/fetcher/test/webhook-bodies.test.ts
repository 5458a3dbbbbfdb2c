import { fetcherLimits } from '@shiplog/companions';
import { describe, expect, test } from 'vitest';
import { changeOf } from './support/change.ts';
import { aGithubDelivery, anArgoBody, argo, argoHeaders, aSource, hexHmac, hooked } from './support/webhooks.ts';

const changed = () => ({ changes: [changeOf({ id: 'gh-deploy-1' })], hints: [] });

describe('§11: the body of a delivery', () => {
  const filled = (bytes: number) => {
    const start = '{"repository":{"full_name":"acme/shop"},"filler":"';
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
  };

  test('5 MiB are accepted', async () => {
    const { send } = await hooked({ github: [aSource(changed)] });
    const body = filled(fetcherLimits.deliveryBytes);
    expect((await send('github', aGithubDelivery({ body }))).status).toBe(202);
  });

  test.each([
    ['with a length', {}],
    ['in chunks', { chunkBytes: 64 * 1024 }],
  ])('a body of one byte more than 5 MiB is refused, %s', async (_, wire) => {
    const { send, sink } = await hooked({ github: [aSource(changed)] });
    const delivery = aGithubDelivery({ body: filled(fetcherLimits.deliveryBytes + 1) });
    const { status, json } = await send('github', { ...delivery, ...wire });
    expect([status, json]).toEqual([413, expect.objectContaining({ type: '/problems/payload-too-large' })]);
    expect(sink.begun).toBe(0);
  });

  test.each<[string, string | Uint8Array]>([
    ['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['nothing', ''],
    ['an array', '[]'],
    ['a text', '"x"'],
  ])('%s is refused with a JSON Pointer', async (_, body) => {
    const { send } = await hooked({ github: [aSource(changed)] });
    const headers = { 'X-Hub-Signature-256': `sha256=${hexHmac(body)}` };
    const { status, json } = await send('github', { headers, body });
    expect([status, json]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ pointer: '' })] }),
    ]);
  });

  test.each<[string, string]>([
    ['arrays', `${'['.repeat(500_000)}${']'.repeat(500_000)}`],
    ['objects', `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`],
  ])('half a million nested %s cause no crash', async (_, nested) => {
    const { send } = await hooked({ file: argo });
    const body = `{"id":1,"app":"shop","phase":"Succeeded","at":${nested}}`;
    expect((await send('argocd', { headers: argoHeaders, body })).status).toBe(422);
    expect((await send('argocd', { headers: argoHeaders, body: JSON.stringify(anArgoBody) })).status).toBe(202);
  });
});
