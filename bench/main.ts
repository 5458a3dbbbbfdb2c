import { cpus, release } from 'node:os';
import { analytics } from './analytics.ts';
import { idleConnections } from './connections.ts';
import { control } from './control.ts';
import { driver } from './driver.ts';
import { freshness } from './freshness.ts';
import { type Figure, table } from './harness/figure.ts';
import type { Outcome } from './harness/outcome.ts';
import { Absent, versionOf } from './harness/programs.ts';
import { ingest } from './ingest.ts';
import { reads } from './reads.ts';
import { start } from './start.ts';

/** Every benchmark by the name that `npm run bench -- <name>` takes. */
const benches: Readonly<Record<string, () => Promise<Outcome>>> = {
  ingest,
  freshness,
  connections: idleConnections,
  reads,
  analytics,
  control,
  driver,
  start,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in benches));
if (unknown.length > 0) {
  print(`There is no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

print(`${cpus().length} × ${cpus()[0]?.model}, Linux ${release()}, Node ${process.version}`);
print(`${versionOf('pgbench')}; ${versionOf('wrk')}\n`);
const figures: Figure[] = [];
const absent: string[] = [];
for (const [name, bench] of Object.entries(benches)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  print(`${name} …`);
  try {
    figures.push(...(await bench()).figures);
  } catch (error) {
    if (!(error instanceof Absent)) throw error;
    absent.push(`${name} was left out: ${error.message}.`);
  }
}
print(`\n${table(figures)}`);
for (const line of absent) print(line);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
