import { expect, test } from 'vitest';
import { aRepo, aSeed, hourMs } from './support/seeds.ts';
import { GithubRun } from './support/source-run.ts';

async function withOpen(places: readonly string[]) {
  const run = await GithubRun.start(aSeed(aRepo('shop', 1), aRepo('docs', 1, { firstId: 5000 })), { places });
  const id = await run.deploy('acme/shop', { state: 'in_progress' });
  await run.cycles();
  const rows = () => run.log.told.filter((row) => row.startsWith(`gh-deploy-${id} `)).map((row) => row.split(' ')[1]);
  expect(rows()).toEqual(['in-progress']);
  return { run, id, rows };
}

test.each([[['acme/*']], [['acme/shop', 'acme/docs']]])(
  '%s: an open deployment of a deleted repository is cancelled at the second poll without it',
  async (places) => {
    const { run, rows } = await withOpen(places);
    await run.ci('/repositories/acme/shop', undefined, 'DELETE');
    await run.cycles();
    expect(rows()).toEqual(['in-progress']);
    await run.cycles();
    expect(rows().sort()).toEqual(['cancelled', 'in-progress']);
    await run.cycles(3);
    expect([rows().length, run.source.figures(run.memory).open]).toEqual([2, 0]);
  },
);

test('an open deployment of a renamed repository is cancelled once the list contains the new name', async () => {
  const { run, rows, id } = await withOpen(['acme/*']);
  await run.ci('/repositories/acme/shop', { renamed_to: 'acme/store' }, 'PATCH');
  await run.cycles(2);
  expect(rows()).toEqual(['in-progress']);
  run.clock.advance(hourMs);
  await run.cycles(2);
  expect(rows().sort()).toEqual(['cancelled', 'in-progress']);
  expect([...run.log.rows.values()].find(({ status }) => status === 'cancelled')?.vars).toMatchObject({ name: 'shop' });
  await run.move(id, 'success');
  await run.cycles(2);
  const [ended] = [...run.log.rows.values()].filter((one) => one.id === `gh-deploy-${id}` && one.status === 'success');
  expect(ended?.vars).toMatchObject({ repo: 'acme/store' });
});

test('an open deployment is followed to its end if its repository is no longer listed but still answers', async () => {
  const { run, rows, id } = await withOpen(['acme/*']);
  await run.ci('/repositories/acme/shop', { archived: true }, 'PATCH');
  run.clock.advance(hourMs);
  await run.cycles(3);
  expect(rows()).toEqual(['in-progress']);
  await run.move(id, 'success');
  await run.cycles(2);
  expect(rows().sort()).toEqual(['in-progress', 'success']);
});
