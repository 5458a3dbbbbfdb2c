import { expect, test } from 'vitest';
import { testEmulator } from './support/emulator.ts';

const list = '/repos/acme/shop/deployments';
const projectList = '/projects/7/deployments';

test('§1.4, §5.5: the request log lists each request with its cost and fault', async () => {
  const emulator = await testEmulator();
  const etag = (await emulator.github(`${list}?per_page=5`)).headers.get('etag') ?? '';
  await emulator.github(`${list}?per_page=5`, { 'if-none-match': etag });
  await emulator.fault({ effect: { status: 502 } });
  await emulator.send(list);
  await emulator.gitlab(projectList);
  const common = { at: '2026-05-04T09:00:00.000Z', method: 'GET', query: '' };
  const whole = await emulator.requests();
  expect(whole).toEqual([
    {
      ...common,
      tool: 'github',
      path: list,
      query: 'per_page=5',
      status: 200,
      charged: true,
      conditional: false,
      token_hash: expect.stringMatching(/^[0-9a-f]{8}$/),
    },
    {
      ...common,
      tool: 'github',
      path: list,
      query: 'per_page=5',
      status: 304,
      charged: false,
      conditional: true,
      token_hash: whole[0]?.token_hash,
    },
    {
      ...common,
      tool: 'github',
      path: list,
      status: 502,
      charged: false,
      conditional: false,
      token_hash: expect.not.stringMatching(`^${whole[0]?.token_hash}$`),
      fault: 'status',
    },
    {
      ...common,
      tool: 'gitlab',
      path: `/api/v4${projectList}`,
      status: 200,
      charged: true,
      conditional: false,
      token_hash: whole[0]?.token_hash,
    },
  ]);
  expect(await emulator.requests('?path=/api/**')).toHaveLength(1);
  expect(await emulator.requests('?since=2026-05-04T09:00:01Z')).toEqual([]);
  expect((await emulator.status()).requests).toEqual({ total: 4, not_modified: 1, charged: 2, refused: 1 });
});

test('§2: the request log keeps only the latest requests or, with a limit of 0, none', async () => {
  const short = await testEmulator({ REQUEST_LOG: '2' });
  for (const page of [1, 2, 3]) await short.github(`${list}?page=${page}`);
  expect((await short.requests()).map(({ query }) => query)).toEqual(['page=2', 'page=3']);
  const none = await testEmulator({ REQUEST_LOG: '0' });
  await none.github(list);
  expect([await none.requests(), (await none.status()).requests.total]).toEqual([[], 1]);
});
