import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { plot } from '@shiplog/bench/plot';
import { flatnessCurve, flatnessOf, flatnessTable } from './flatness.ts';
import { report } from './report.ts';
import { runFaults } from './run.ts';

/** The report and the plot are kept for runs of at least this length. */
const keptMinutes = 30;
const root = new URL('../../../', import.meta.url);

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: String(keptMinutes) }, seed: { type: 'string' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
if (!(minutes > 0) || !Number.isInteger(seed)) {
  print('Usage: npm run soak -- [--minutes <number>] [--seed <whole number>]');
  process.exit(2);
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    print(`${signal}: ending after the checks of the run so far.`);
    stopping.abort();
  });
}

print(`Soaking for ${minutes} minutes with the seed ${seed}; Ctrl-C ends it early and still runs the checks.`);
const result = await runFaults({
  seed,
  durationMs: minutes * 60_000,
  durationMsMax: minutes * 60_000,
  postsMin: 0,
  postsPerSecond: 300,
  calmMs: { min: 5000, max: 15_000 },
  vitalsEveryMs: 5000,
  log: print,
  signal: stopping.signal,
});
const flatness = flatnessOf(result.vitals);
const text = `${report(result)}\n\n${flatnessTable(flatness)}\n`;
print(`\n${text}`);
if (minutes >= keptMinutes && !stopping.signal.aborted) await keep(text);
const isKept = result.violations.length === 0 && (flatness.every(({ flat }) => flat) || stopping.signal.aborted);
process.exit(isKept ? 0 : 1);

async function keep(figures: string): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model}, Node ${process.version}`;
  const head = `# Soak

\`npm run soak -- --minutes ${minutes}\` on ${new Date().toISOString().slice(0, 10)}, ${machine}. Three instances accept 300 posts a second while faults
happen every few seconds. One of the three is never stopped; its memory, heap, handles and connections are sampled
every five seconds and judged by the samples during which there was no fault.

![Memory, heap, handles and connections of the instance that is never stopped](../../docs/images/soak.svg)

`;
  await writeFile(new URL('bench/results/soak.md', root), `${head}${figures}`);
  await writeFile(new URL('docs/images/soak.svg', root), plot(flatnessCurve(result.vitals)));
  print('Written to bench/results/soak.md and docs/images/soak.svg.');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
