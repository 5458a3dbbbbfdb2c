import { endpoints, headerNames } from '@shiplog/contract';
import { answersAgainstSql, computedQuestions, countedQuestions, ladder, nameOf, pathOf } from './analytics.ts';
import { evidencePages } from './evidence.ts';
import { type Figure, summary } from './harness/figure.ts';
import { fillAndBuild } from './harness/fill.ts';
import { firstAnswerMs, repeatedAnswerMs, timedGet } from './harness/http.ts';
import { getLoad } from './harness/load.ts';
import type { Curve, Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';
import { matrixAgainstSql, pages } from './reads.ts';

const million = 1_000_000;
const year = 365;
const month = 30;
const rounds = 5;
const loadRounds = 3;
const shape = { services: 200, environments: ladder.length };

interface Answer {
  readonly name: string;
  readonly path: string;
  /** The allowed ratio of 5M rows to 1M rows. */
  readonly growthMax: number;
}

const matrix: Answer = { name: 'matrix', path: endpoints.getMatrix.path, growthMax: 1.4 };
const dora: Answer = { name: 'dora', path: pathOf('getDora'), growthMax: 5.5 };
const answers: readonly Answer[] = [
  ...countedQuestions.map((question) => ({ name: nameOf(question), path: pathOf(question), growthMax: 1.4 })),
  ...computedQuestions.map((question) => ({ name: nameOf(question), path: pathOf(question), growthMax: 5.5 })),
];

/** Milliseconds per round, by response name. */
type Times = ReadonlyMap<string, readonly number[]>;

/** P9 to P14 and evidence: the cost of reads while the log grows from 100,000 to five million rows. */
export async function rows(): Promise<Outcome> {
  const stage = await openStage({ ANALYTICS_FUNNEL_ENVIRONMENTS: ladder.join(',') });
  try {
    await fillAndBuild(stage, { rows: million / 10, days: year, ...shape });
    const few = await answerTimes(stage);
    await fillAndBuild(stage, { rows: million, days: year, ...shape });
    const many = await answerTimes(stage);
    const matrixFigures = [await matrixAgainstSql(stage, '1M rows, 1,000 slots'), await unchanged(stage, matrix)];
    const paged = await pages(stage, year);
    await fillAndBuild(stage, { rows: 5 * million, days: year, ...shape });
    const most = await answerTimes(stage);
    await fillAndBuild(stage, { rows: million, days: month, ...shape });
    const inMonth = '1M rows in 30 days';
    const answerFigures = [
      await unchanged(stage, dora),
      ...(await answersAgainstSql(stage, inMonth)),
      await evidencePages(stage, inMonth),
    ];
    const growth = [
      growthOf('P10', matrix, many, most),
      ...answers.map((each) => growthOf('growth', each, many, most)),
    ];
    const curve = rowsCurve([
      [million / 10, few],
      [million, many],
      [5 * million, most],
    ]);
    return {
      figures: [...matrixFigures, ...answerFigures, ...growth, ...paged.figures],
      curves: [curve, ...(paged.curves ?? [])],
    };
  } finally {
    await stage.close();
  }
}

/** Measures the first response after a change and, for matrix and dora, a repeated response. */
async function answerTimes(stage: Stage): Promise<Times> {
  const times = new Map<string, number[]>();
  for (const { name, path } of [matrix, ...answers]) {
    await timedGet(stage.url + path);
    const ms: number[] = [];
    for (let round = 0; round < rounds; round += 1) ms.push(await firstAnswerMs(stage, path));
    times.set(name, ms);
  }
  for (const { name, path } of [matrix, dora]) {
    times.set(again(name), [await repeatedAnswerMs(stage.url + path, 3)]);
  }
  return times;
}

function again(name: string): string {
  return `${name} again`;
}

function growthOf(goal: string, answer: Answer, few: Times, many: Times): Figure {
  return {
    goal,
    title: `${answer.name}, 5M rows in a year`,
    measured: many.get(answer.name) ?? [],
    unit: 'ms',
    yardstick: { title: '1M rows in a year', measured: few.get(answer.name) ?? [] },
    reach: { atMost: answer.growthMax },
  };
}

/** P11: a 304 compared with a `select 1` over the same pool and HTTP, as in the readiness probe. */
async function unchanged(stage: Stage, { name, path }: Answer): Promise<Figure> {
  const load = { connections: 8, seconds: 2 };
  const measured: number[] = [];
  const probe: number[] = [];
  for (let round = 0; round < loadRounds; round += 1) {
    const { headers } = await timedGet(stage.url + path);
    const etag = String(headers[headerNames.etag.toLowerCase()]);
    const answered = await getLoad(stage.url + path, { ...load, headers: { [headerNames.ifNoneMatch]: etag } });
    measured.push(1000 / answered.perSecond);
    probe.push(1000 / (await getLoad(stage.url + endpoints.getReadiness.path, load)).perSecond);
  }
  return {
    goal: 'P11',
    title: `304 of ${name}, time per request`,
    measured,
    unit: 'ms',
    yardstick: { title: 'select 1 over the same pool and HTTP', measured: probe },
    reach: { atMost: 2 },
  };
}

const drawn = [matrix.name, again(matrix.name), 'frequency', 'incidents', dora.name, again(dora.name)];

function rowsCurve(bySize: readonly (readonly [rows: number, times: Times])[]): Curve {
  return {
    name: 'rows',
    title: 'Response times after a change of the log, and repeated, by rows in a year',
    x: { label: 'rows', logarithmic: true },
    y: { label: 'ms', logarithmic: true },
    series: drawn.map((name) => ({
      name,
      points: bySize.map(([size, times]) => [size, summary(times.get(name) ?? []).median]),
    })),
  };
}
