import { runSql } from '@shiplog/testing';

/** Tells the folds that events were stored without the service, with ids of the past. */
export const storedBeneath = `
  update folds set tick = -1;
  update log_heads set last_tick = greatest(last_tick, log_tick(clock_timestamp())) where log = 'deployments'`;

/** Removes everything from the log that a reset clears, without a reset. */
export async function emptyLog(url: string): Promise<void> {
  await runSql(
    url,
    `delete from deployments; delete from latest_deployments; delete from hourly_counts;
     delete from releases; delete from kept_answers`,
  );
}
