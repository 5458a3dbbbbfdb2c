import { clientOf } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { type Asked, type Fate, meddler } from './support/meddler.ts';
import { type Run, rowsOf, smallRun } from './support/run.ts';

const sources = ['github-actions', 'gitlab'] as const;
const stranger = 'ffffffff-ffff-7fff-bfff-ffffffffffff';

/** How the stored cursors are changed before a fetcher starts. */
const spoilt: Readonly<Record<string, (cursor: string) => string>> = {
  'is empty': () => '',
  'is broken': (cursor) => cursor.slice(0, -9),
  'is from another process': (cursor) => cursor.replace(/"o":"[^"]+"/, `"o":"${stranger}"`),
  'has an unknown version': (cursor) => cursor.replace('"v":1', '"v":2'),
  'has an invalid memory': (cursor) => cursor.replace(/"m":.*/, '"m":{"w":"never","r":[7],"b":{}}}'),
};

/** Responses to the first reads of a cursor: no cursor, or a cursor that the service would not have accepted. */
const answered: Readonly<Record<string, Fate>> = {
  'is gone': { status: 404, body: '{"type":"/problems/not-found","title":"Not found","status":404}' },
  'has 9 KB': {
    status: 200,
    body: JSON.stringify({
      adapter: 'x',
      cursor: `{"v":1,"m":"${'x'.repeat(9216)}"}`,
      updated_at: '2026-05-04T09:00:00Z',
    }),
  },
};

/** The number of requests to the tools until everything is reported; the log is then complete. */
async function requestsOfNext(run: Run, serviceUrl = run.serviceUrl): Promise<number> {
  const before = (await run.requests()).length;
  await run.startFetcher({ DASHBOARD_API_BASE_URL: serviceUrl });
  await run.caughtUp();
  const asked = (await run.requests()).length - before;
  await run.stopFetcher();
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  return asked;
}

async function putCursors(run: Run, changed: (cursor: string) => string): Promise<void> {
  const client = clientOf(run.serviceUrl);
  for (const adapter of sources) {
    const { body } = await client.getFetcherState({ params: { adapter } });
    await client.putFetcherState({ params: { adapter }, body: { cursor: changed(body.cursor) } });
  }
}

test('whatever the cursor contains, the log is the same, and no more requests are sent than in a first run', async () => {
  const run = await smallRun({ deployments: 4 });
  const first = await requestsOfNext(run);
  let emitted = 0;
  /** A deployment needs one request when it is found, and one more in each cycle while it may still change. */
  const goesOn = async (name: string, serviceUrl?: string) => {
    await run.ci('/emit', { once: 3 });
    emitted += 3;
    expect(await requestsOfNext(run, serviceUrl), `with a cursor that ${name}`).toBeLessThanOrEqual(
      first + 2 * emitted,
    );
  };
  for (const [name, changed] of Object.entries(spoilt)) {
    await putCursors(run, changed);
    await goesOn(name);
  }
  for (const [name, fate] of Object.entries(answered)) {
    const looked = new Set<string>();
    const fateOf = ({ method, path }: Asked): Fate => {
      if (method !== 'GET' || !path.startsWith('/api/fetcher/state/') || looked.has(path)) return 'whole';
      looked.add(path);
      return fate;
    };
    await goesOn(name, await meddler(run.serviceUrl, { answered: fateOf }));
    expect(looked.size).toBe(sources.length);
  }
});
