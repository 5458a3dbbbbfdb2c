import type { Arrivals } from '../../domain/reporter.ts';
import { oneRow, type Queries } from '../database.ts';

/**
 * The rows of each reporter by arrival (questions.md 10.1), and the time of the snapshot in milliseconds since 1970.
 * One index lookup per reporter and per counted row.
 */
export async function readReporters(queries: Queries): Promise<{ now: number; reporters: Arrivals[] }> {
  const { now } = await oneRow<{ now: number }>(queries, {
    text: 'select (extract(epoch from now()) * 1000)::float8 as now',
  });
  const reporters = await queries.query<Arrivals>({
    name: 'read-reporters',
    text: `
      with recursive reporters as (
        (select reporter from deployments where reporter is not null order by reporter limit 1)
        union all
        select (select deployments.reporter from deployments where deployments.reporter > reporters.reporter
          order by deployments.reporter limit 1)
        from reporters where reporter is not null
      )
      select reporter, ${figures('deployments.reporter = reporters.reporter')} from reporters where reporter is not null
      union all
      select null, ${figures('deployments.reporter is null')} where exists (select from deployments where reporter is null)
      order by reporter nulls last`,
  });
  return { now, reporters };
}

const figures = (isOfReporter: string) => `
  (select count(*) from deployments
   where ${isOfReporter} and id >= log_floor(now() - interval '24 hours'))::float8 as rows_24h,
  (select id from deployments where ${isOfReporter} order by id limit 1) as first_id,
  array(select arrival_ms(id)::float8 from deployments where ${isOfReporter} order by id desc limit 101) as arrivals,
  array(select arrival_lag(id, happened_at)::float8 / 60000000 from deployments
   where ${isOfReporter} order by id desc limit 100) as lags`;
