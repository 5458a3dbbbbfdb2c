import { runSql, testDatabase } from '@shiplog/testing';
import { expect, test } from 'vitest';

/** Everything that the migrations created, in PostgreSQL's description, sorted by name. */
const dump = `
  select text from (
    select 1 as rank, relname as name, format(E'create table %s (\\n%s\\n);', relname, (
      select string_agg(format('  %s %s%s%s%s', attname, format_type(atttypid, atttypmod),
        case when collname <> 'default' then format(' collate "%s"', collname) else '' end,
        case when attnotnull then ' not null' else '' end,
        coalesce(' default ' || pg_get_expr(adbin, adrelid), '')), E',\\n' order by attnum)
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
      left join pg_collation on pg_collation.oid = attcollation
      where attrelid = pg_class.oid and attnum > 0 and not attisdropped
    )) || coalesce(E'\\n-- with ' || array_to_string(reloptions, ', '), '') as text
    from pg_class where relkind = 'r' and relnamespace = current_schema::regnamespace
    union all
    select 2, indexname, indexdef || ';' from pg_indexes where schemaname = current_schema
    union all
    select 3, proname, trim(pg_get_functiondef(pg_proc.oid)) || ';'
    from pg_proc where pronamespace = current_schema::regnamespace
    union all
    select 4, conname, format('alter table %s add constraint %s %s;', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = current_schema::regnamespace and contype in ('c', 'f')
    union all
    select 5, tgname, pg_get_triggerdef(oid) || ';' from pg_trigger
    where not tgisinternal and tgrelid::regclass::oid in (select oid from pg_class where relnamespace = current_schema::regnamespace)
  ) parts
  order by rank, name`;

test('schema.sql equals the result of the migrations (update it with: npx vitest run apps/service/test/schema.test.ts -u)', async () => {
  const database = await testDatabase();
  const parts = await runSql<{ text: string }>(database.url, dump);
  const text = `${parts.map((part) => part.text).join('\n\n')}\n`.replaceAll('public.', '');
  await expect(text).toMatchFileSnapshot('../schema.sql');
});
