import { runSql } from '@shiplog/testing';

/** Takes everything out of the log that a reset clears of it, at once. */
export async function emptyLog(url: string): Promise<void> {
  await runSql(
    url,
    `delete from deployments; delete from latest_deployments; delete from hourly_counts;
     delete from releases; delete from kept_answers`,
  );
}
