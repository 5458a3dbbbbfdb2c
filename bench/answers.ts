import { endpoints, keyHeaders } from '@shiplog/contract';
import { computedQuestions, countedQuestions, ladder, nameOf, pathOf, type Question } from './analytics.ts';
import { type Figure, summary } from './harness/figure.ts';
import { fillAndBuild } from './harness/fill.ts';
import { firstAnswerMs, inTurn, timedGet } from './harness/http.ts';
import type { Outcome } from './harness/outcome.ts';
import { postAtRate } from './harness/poster.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const rounds = 3;
/** The maximum duration of a round. */
const secondsMax = 10;
const perSecond = 100;
const times = 50;
const shape = { services: 1000, environments: ladder.length };
/** The team includes `service-0`. An event is added to this service before each first response. */
const team = Array.from({ length: 20 }, (_, n) => `services=service-${n === 0 ? 0 : n * 50 + 1}`).join('&');
/** The ranking of deployers is computed from hourly counts for the complete log, and from rows for a team. */
const scoped = computedQuestions.filter((question) => question !== 'getTopDeployers');
const questions: readonly Question[] = [...countedQuestions, ...computedQuestions];

/** Measures responses while events of the current day arrive, and first responses for one team. */
export async function answers(): Promise<Outcome> {
  const stage = await openStage({ ANALYTICS_FUNNEL_ENVIRONMENTS: ladder.join(',') });
  try {
    await fillAndBuild(stage, { rows: 1_000_000, days: 30, ...shape });
    const figures: Figure[] = [];
    for (const question of scoped) figures.push(await ofATeam(stage, question));
    const seconds = questions.length * rounds * secondsMax + 10;
    const stream = postAtRate({
      target: {
        url: stage.url,
        publishPath: endpoints.appendDeployment.path,
        subscribePath: endpoints.streamDeployments.path,
        headers: { [keyHeaders.api]: keys.api },
      },
      connections: 1,
      perSecond,
      events: seconds * perSecond,
      ...shape,
    });
    for (const question of questions) figures.push(await duringPosts(stage, question));
    await stream;
    return { figures };
  } finally {
    await stage.close();
  }
}

async function ofATeam(stage: Stage, question: Question): Promise<Figure> {
  const path = pathOf(question);
  const { measured, yardstick } = await inTurn(rounds, {
    measure: () => firstAnswerMs(stage, `${path}&${team}`),
    yardstick: () => firstAnswerMs(stage, path),
  });
  return {
    goal: 'scope',
    title: `${nameOf(question)} of 20 of 1,000 services, first response, 1M rows in 30 days`,
    measured,
    unit: 'ms',
    yardstick: { title: 'of all services', measured: yardstick },
    reach: { atMost: 1 / 20 },
  };
}

async function duringPosts(stage: Stage, question: Question): Promise<Figure> {
  const url = stage.url + pathOf(question);
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const ms: number[] = [];
    while (ms.length < times) ms.push((await timedGet(url)).ms);
    measured.push(summary(ms).median);
  }
  const title = `${nameOf(question)} during ${perSecond} current events a second`;
  return { goal: 'P13r', title, measured, unit: 'ms', reach: { atMost: 150 } };
}
