import { expect, test } from 'vitest';
import type { Asked } from './support/meddler.ts';
import { MortalRun } from './support/mortal.ts';
import { rowsOf } from './support/run.ts';

const isPost = ({ method, path }: Asked) => method === 'POST' && path === '/api/deployments';
const isPut = ({ method }: Asked) => method === 'PUT';

test('a fetcher that is killed before or after a post, or a stored cursor, reports everything once', async () => {
  const run = await MortalRun.start({ deployments: 4 });
  for (const at of [isPost, isPut]) {
    await run.dies({ at, way: 'after' });
    await run.ci('/emit', { once: 2 });
  }
  const life = run.live();
  await run.caughtUp(life);
  expect(await life.terminate()).toBe(0);
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
});
