import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { access } from './access.ts';
import { answers } from './answers.ts';
import { boards } from './boards.ts';
import { command } from './command.ts';
import { idleConnections } from './connections.ts';
import { control } from './control.ts';
import { crowdsOfSubscribers } from './crowds.ts';
import { dashboard } from './dashboard.ts';
import { driver } from './driver.ts';
import { fanout } from './fanout.ts';
import { fetcher } from './fetcher.ts';
import { folds } from './folds.ts';
import { freshness } from './freshness.ts';
import { growth } from './growth.ts';
import { facts } from './harness/machine.ts';
import { absences } from './harness/programs.ts';
import { duration, figuresOf, gaps, table, tally } from './harness/report.ts';
import { type Bench, runBenches } from './harness/run.ts';
import { save } from './harness/save.ts';
import { ingest } from './ingest.ts';
import { instances } from './instances.ts';
import { layouts } from './layouts.ts';
import { mixed } from './mixed.ts';
import { outages } from './outages.ts';
import { questions } from './questions.ts';
import { relay } from './relay.ts';
import { restarts } from './restarts.ts';
import { rows } from './rows.ts';
import { standby } from './standby.ts';
import { start } from './start.ts';
import { steady } from './steady.ts';

/** The benchmarks by name, as in `npm run bench -- <name>`. */
const benches: Readonly<Record<string, Bench>> = {
  ingest: { goals: ['P1', 'P2', 'P3', 'P4'], measure: ingest },
  access: { goals: ['access'], measure: access },
  freshness: { goals: ['P7'], measure: freshness },
  instances: { goals: ['instances'], measure: instances, onlyIfAsked: true },
  crowds: { goals: ['crowds'], measure: crowdsOfSubscribers, onlyIfAsked: true },
  restarts: { goals: ['restarts'], measure: restarts, onlyIfAsked: true },
  fanout: { goals: ['P5', 'P6'], measure: fanout },
  connections: { goals: ['P8'], measure: idleConnections },
  rows: { goals: ['P9', 'P10', 'P11', 'P12', 'P13', 'P14', 'questions', 'growth'], measure: rows },
  questions: { goals: ['questions'], measure: questions },
  answers: { goals: ['P13r', 'scope'], measure: answers },
  folds: { goals: ['folds'], measure: folds },
  outages: { goals: ['outages'], measure: outages },
  standby: { goals: ['standby'], measure: standby },
  boards: { goals: ['P9', 'compression'], measure: boards },
  growth: { goals: ['P1', 'P9', 'P14', 'P15', 'growth', 'prune'], onlyIfAsked: true, measure: growth },
  control: { goals: ['reset', 'components'], measure: control },
  driver: { goals: ['driver'], measure: driver },
  command: { goals: ['command'], measure: command },
  fetcher: { goals: ['P17', 'P18', 'P19', 'P20'], measure: fetcher },
  relay: { goals: ['relay'], measure: relay },
  mixed: { goals: ['mixed'], measure: mixed },
  steady: { goals: ['P16'], measure: steady },
  start: { goals: ['P15'], measure: start },
  dashboard: { goals: ['dashboard'], measure: dashboard },
  layouts: { goals: ['layouts'], measure: layouts, onlyIfAsked: true },
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  print(`Unknown benchmark ${unknown.join(', ')}; available: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const startedAt = new Date();
const machine = await facts(root);
const absent = absences().map((absence) => `${absence}.`);
for (const [name, value] of machine) print(`${name}: ${value}`);
print([...absent, ''].join('\n'));

// A benchmark waits for its posts together. One that is refused before that must not end the run.
process.on('unhandledRejection', (error) => print(inspect(error)));
const chosen = Object.entries(benches).filter(([name, bench]) =>
  asked.length === 0 ? !bench.onlyIfAsked : asked.includes(name),
);
const results = await runBenches(chosen, print);

const report = { startedAt, seconds: (Date.now() - startedAt.getTime()) / 1000, machine, results };
if (chosen.length > 1) print(`${table(figuresOf(report))}\n`);
for (const line of new Set([...absent, ...gaps(results)])) print(line);
const written = asked.length === 0 ? await save(root, report) : [];
const ran = results.filter(({ leftOut, error }) => leftOut === undefined && error === undefined).length;
print(`${ran} of ${chosen.length} benches ran in ${duration(report.seconds)}: ${tally(figuresOf(report))}.`);
print(
  written.length > 0 ? `Written: ${written.join(', ')}.` : 'Nothing was written: only a run of all benches is saved.',
);
// Open handles of a failed benchmark must not keep the process alive.
process.exit(results.some(({ error }) => error !== undefined) ? 1 : 0);

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
