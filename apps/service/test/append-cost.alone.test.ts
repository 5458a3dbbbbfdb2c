import { storedEvent } from '@shiplog/contract';
import { anEvent, runSql, testDatabase } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { appendWithinSlots } from '../src/db/append-deployments.ts';
import { Database } from '../src/db/database.ts';
import { Servers } from '../src/db/servers.ts';

const without = `
  drop trigger fill_in_event on deployments; alter table deployments alter column release drop default;
  drop trigger open_slot on latest_deployments; drop trigger close_slot on latest_deployments`;

const rounds = 40;

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

test.each([
  { rows: 1, batches: 60 },
  { rows: 200, batches: 4 },
])(
  'triggers for earlier versions and for slots add no measurable cost to an append of $rows',
  async ({ rows, batches }) => {
    const [plain, triggered] = [await testDatabase(), await testDatabase()];
    await runSql(plain.url, without);
    const databases = [plain, triggered].map(
      ({ url }) => new Database(new Servers([{ connectionString: url }]), () => undefined),
    );
    const batch = (round: number) =>
      Array.from({ length: rows }, (_, n) =>
        storedEvent(anEvent({ service: `service-${(round + n) % 50}`, version: `1.${round}` }), 'test/x'),
      );
    const timeOf = async (database: Database, round: number) => {
      const events = batch(round);
      const startedAt = performance.now();
      for (let n = 0; n < batches; n++) await appendWithinSlots(database.appends, events, 100_000);
      return performance.now() - startedAt;
    };
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [one, two] = round % 2 === 0 ? [0, 1] : [1, 0];
      const times: number[] = [];
      for (const index of [one, two]) times[index] = await timeOf(databases[index] as Database, round);
      ratios.push((times[1] ?? 0) / (times[0] ?? 1));
    }
    process.stderr.write(`append of ${rows}: with triggers ${median(ratios).toFixed(3)} of the time without\n`);
    expect(median(ratios)).toBeLessThan(1.15);
    await Promise.all(databases.map((database) => database.stop()));
  },
);
