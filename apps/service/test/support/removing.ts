import { endpoints, keyHeaders } from '@shiplog/contract';
import { emptyLog, runSql, storedBeneath, testKeys } from '@shiplog/testing';

/** Removes an event as an operator does. Returns the status of the response. */
export async function removeEvent(url: string, id: string, reason = 'false'): Promise<number> {
  const { method, path } = endpoints.removeDeployment;
  const answer = await fetch(`${url}${path.replace('{id}', id)}`, {
    method,
    headers: { [keyHeaders.control]: testKeys.control },
    body: JSON.stringify({ reason }),
  });
  return answer.status;
}

/** Copies the rows of a log to an empty log, and fills the derived tables with plain statements. */
export async function copyLog(from: string, to: string): Promise<void> {
  await emptyLog(to);
  // Read as text, because a Date has no microseconds.
  const [copy] = await runSql<{ rows: string }>(
    from,
    `select coalesce(json_agg(deployments), '[]')::text as rows from deployments`,
  );
  const [head] = await runSql<{ last_tick: string }>(from, `select last_tick from log_heads where log = 'deployments'`);
  await runSql(to, `update log_heads set last_tick = $1 where log = 'deployments'`, [head?.last_tick]);
  await runSql(to, storedBeneath);
  await runSql(to, 'insert into deployments select * from json_populate_recordset(null::deployments, $1)', [
    copy?.rows,
  ]);
  await runSql(
    to,
    `insert into latest_deployments
     select distinct on (service, environment, status) service, environment, status, happened_at, id
     from deployments order by service, environment, status, happened_at desc, id desc`,
  );
}
