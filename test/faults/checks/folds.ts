import { setTimeout as delay } from 'node:timers/promises';
import { evidenceFigures } from '@shiplog/contract';
import type { System } from '../system.ts';
import { happenedDay } from '../writers.ts';
import type { Violation } from './violation.ts';

const period = `from=${happenedDay.from}&to=${happenedDay.to}`;
const reports = [
  ...['dora', 'duration-histogram', 'promotion-funnel', 'status-distribution', 'heatmap', 'top-deployers'],
  ...['incidents', 'stages', 'stability', ...evidenceFigures.map((figure) => `evidence/${figure}`)],
];
/** Responses from all folds, without anything that depends on the clock. */
const paths = [
  ...reports.map((report) => `/api/analytics/${report}?${period}`),
  ...[`/api/changes?${period}`, `/api/changes/histogram?${period}`, '/api/environments/diff?from=staging&to=prod'],
  ...['/api/releases', '/api/releases?q=1.', '/api/quality?kind=future&kind=late&kind=duplicate&counts=asked'],
];
const retryMs = 200;
const rebuildMsMax = 600_000;

/** The folds followed the log through all faults. Rebuilding them from the log must give the same responses. */
export async function checkFolds({ database, instances, spared }: System): Promise<Violation[]> {
  const followed = await Promise.all(instances.map(answersOf));
  await database.query('update folds set tick = -1');
  const rebuilt = await answersOf(spared);
  return instances.flatMap(({ name }, n) =>
    paths
      .filter((_, at) => followed[n]?.[at] !== rebuilt[at])
      .map((path) => ({
        kind: 'folds' as const,
        what: `GET ${path} on ${name} returned ${followed[n]?.[paths.indexOf(path)]} instead of ${rebuilt[paths.indexOf(path)]}`,
      })),
  );
}

async function answersOf({ url }: { readonly url: string }): Promise<string[]> {
  const answers: string[] = [];
  for (const path of paths) answers.push(await answerOf(`${url}${path}`));
  return answers;
}

/** The response without its time, once the folds have every event. */
async function answerOf(url: string): Promise<string> {
  const deadline = performance.now() + rebuildMsMax;
  for (;;) {
    const response = await fetch(url);
    const text = await response.text();
    const isPatient = response.status === 503 && performance.now() < deadline;
    if (!isPatient) return `${response.status} ${text.replace(/"generated_at":"[^"]*",/, '')}`;
    await delay(retryMs);
  }
}
