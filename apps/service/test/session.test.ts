import { anEvent, postStored, runSql, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

/** Posts one event to a database with these defaults. Returns the settings of the transaction that stored the event. */
async function storedUnder(defaults: Readonly<Record<string, string>>): Promise<{ flush: string; isolation: string }> {
  const { url } = await testDatabase();
  const name = new URL(url).pathname.slice(1);
  const settings = Object.entries(defaults).map(
    ([setting, value]) => `alter database ${name} set ${setting} = '${value}'`,
  );
  await runSql(
    url,
    `create table told (flush text, isolation text);
     create function tell() returns trigger language plpgsql as $$
       begin
         insert into told values (current_setting('synchronous_commit'), current_setting('transaction_isolation'));
         return null;
       end $$;
     create trigger tell after insert on deployments for each statement execute function tell();
     ${settings.join(';')}`,
  );
  const service = await testService({ databaseUrl: url });
  await postStored(service.url, anEvent());
  const [told] = await runSql<{ flush: string; isolation: string }>(url, 'select flush, isolation from told');
  return told ?? { flush: 'nothing was stored', isolation: '' };
}

test('an append is flushed on a server with synchronous_commit off', async () => {
  expect((await storedUnder({ synchronous_commit: 'off' })).flush).toBe('on');
});

test('an append does not change a stronger synchronous_commit of the server', async () => {
  expect((await storedUnder({ synchronous_commit: 'remote_apply' })).flush).toBe('remote_apply');
});

test.each(['repeatable read', 'serializable'])(
  'an append uses read committed on a server with the default %s',
  async (isolation) => {
    expect((await storedUnder({ default_transaction_isolation: isolation })).isolation).toBe('read committed');
  },
);
