import { expect, test } from 'vitest';
import { type Asked, type Fate, meddler } from './support/meddler.ts';
import { rowsOf, smallRun } from './support/run.ts';

/** Alternately drops every fifth response of the service or cuts it in half. */
class Fifths {
  lost = 0;
  lostPosts = 0;
  #answers = 0;

  readonly fateOf = ({ method, path }: Asked): Fate => {
    this.#answers += 1;
    if (this.#answers % 5 !== 0) return 'whole';
    this.lost += 1;
    if (method === 'POST' && path === '/api/deployments') this.lostPosts += 1;
    return this.lost % 2 === 0 ? 'half' : 'none';
  };
}

test('if every fifth response is lost after the commit, the log is complete without duplicates', async () => {
  const run = await smallRun({ deployments: 4 });
  const fifths = new Fifths();
  const throughLosses = await meddler(run.serviceUrl, { answered: fifths.fateOf });
  await run.startFetcher({ DASHBOARD_API_BASE_URL: throughLosses });
  await run.caughtUp();
  await run.ci('/emit', { once: 6 });
  await run.pass(120_000);
  await run.caughtUp();
  expect(rowsOf(await run.log())).toEqual(rowsOf(await run.expected()));
  expect(fifths.lostPosts).toBeGreaterThan(5);
});
