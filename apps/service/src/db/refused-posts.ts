import type { RefusedPosts } from '@shiplog/contract';
import type { Queries } from './database.ts';

const today = `(now() at time zone 'UTC')::date`;
const keptDays = 30;
const shownDays = 7;

/**
 * Adds to the counts of the UTC day and deletes old days. Rows are updated in order, so that instances don't deadlock.
 */
export async function addRefusedPosts(queries: Queries, counts: ReadonlyMap<string, number>): Promise<void> {
  await queries.query({
    name: 'add-refused-posts',
    text: `
      with forgotten as (delete from refused_posts where day <= ${today} - ${keptDays})
      insert into refused_posts as kept (day, reason, posts)
      select ${today}, reason, posts from unnest($1::text[], $2::bigint[]) refused (reason, posts) order by reason
      on conflict (day, reason) do update set posts = kept.posts + excluded.posts`,
    values: [[...counts.keys()], [...counts.values()]],
  });
}

/** The number of rejected posts in the last 7 UTC days by reason, most frequent first. */
export async function listRefusedPosts(queries: Queries): Promise<RefusedPosts[]> {
  return queries.query({
    name: 'list-refused-posts',
    text: `
      select reason, sum(posts)::float8 as posts from refused_posts where day > ${today} - ${shownDays}
      group by reason order by 2 desc, reason`,
  });
}
