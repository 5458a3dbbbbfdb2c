import { runSql } from '@shiplog/testing';

/** Removes everything from the log that a reset clears, without a reset. */
export async function emptyLog(url: string): Promise<void> {
  await runSql(
    url,
    `delete from deployments; delete from latest_deployments; delete from hourly_counts;
     delete from releases; delete from kept_answers`,
  );
}
