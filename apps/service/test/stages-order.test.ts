import { anEvent, clientOf, testDatabase, testService } from '@shiplog/testing';
import { appendAll } from '@shiplog/testing/bulk-append';
import { expect, test } from 'vitest';

const start = Date.now() - 3 * 86_400_000;
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();

/** A deployment that is queued for this long. */
function queued(seconds: number) {
  const deployment = {
    deployment_id: `d${seconds}`,
    service: `s${String(seconds).padStart(2, '0')}`,
    environment: 'prod',
  };
  return [
    anEvent({ ...deployment, status: 'queued', happened_at: at(0) }),
    anEvent({ ...deployment, status: 'in-progress', happened_at: at(seconds) }),
  ];
}

test('the total time in a status does not depend on the order in which the database has the events', async () => {
  const totals: number[] = [];
  // As fractions of a minute, 0.1 + 0.2 + 0.3 differs from 0.3 + 0.2 + 0.1.
  for (const order of [
    [6, 12, 18],
    [18, 12, 6],
  ]) {
    const { url: databaseUrl } = await testDatabase();
    await appendAll(databaseUrl, order.flatMap(queued));
    const { url } = await testService({ databaseUrl });
    const { stages } = (await clientOf(url).getStages({ query: { window: '7d' } })).body;
    totals.push(...stages.flatMap((stage) => (stage.status === 'queued' ? stage.total_minutes : [])));
  }
  expect(totals).toEqual([0.6, 0.6]);
});
