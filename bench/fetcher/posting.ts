import { createClient, LogPoster, type Proposal, systemClock } from '@shiplog/client';
import type { Status } from '@shiplog/contract';
import type { Figure } from '../harness/figure.ts';
import { postLoad } from '../harness/load.ts';
import { Absent } from '../harness/programs.ts';
import { keys, openStage, type Stage } from '../harness/stage.ts';

const rounds = 5;
const changesPerRound = 1000;
const services = 100;
const wrkConnections = 8;
const wrkSeconds = 2;
const statuses: readonly Status[] = ['pending', 'in-progress', 'success'];

/** P17: the fetcher's poster compared with wrk. Both use the same number of connections. */
export async function posting(): Promise<Figure[]> {
  const stage = await openStage();
  try {
    const single: number[] = [];
    const threefold: number[] = [];
    const posted: number[] = [];
    // The first round does not count, because the processes still compile and allocate then.
    for (let round = -1; round < rounds; round += 1) {
      const rates = [
        await settled(stage, `single-${round}`, 1),
        await settled(stage, `threefold-${round}`, 3),
      ] as const;
      const perSecond = await wrkPosts(stage);
      if (round < 0) continue;
      single.push(rates[0]);
      threefold.push(rates[1]);
      posted.push(perSecond);
    }
    const yardstick = { title: `wrk with ${wrkConnections} connections`, measured: posted };
    const figure = { goal: 'P17', unit: '/s', yardstick, reach: { atLeast: 0.8 } };
    return [
      { ...figure, title: 'changes posted, one per deployment, after a check of the log', measured: single },
      { ...figure, title: 'changes posted, three per deployment', measured: threefold },
      {
        goal: 'P17',
        title: `posts out of order within their slot, of ${(2 * (rounds + 1) * changesPerRound).toLocaleString('en')}`,
        measured: [await outOfOrder(stage)],
        unit: '',
        reach: { atMost: 0 },
      },
    ];
  } finally {
    await stage.close();
  }
}

/** NaN if wrk is not installed. The run reports that wrk is missing, and the figures have no ratio. */
async function wrkPosts(stage: Stage): Promise<number> {
  try {
    return (await postLoad(stage, wrkConnections, wrkSeconds)).perSecond;
  } catch (error) {
    if (error instanceof Absent) return Number.NaN;
    throw error;
  }
}

/** Changes posted per second by a poster with an empty cache. @throws if a change was not posted */
async function settled(stage: Stage, name: string, perDeployment: number): Promise<number> {
  const poster = new LogPoster({ client: createClient({ baseUrl: stage.url, keys }), clock: systemClock });
  const proposals = proposalsOf(name, perDeployment);
  const startedAt = performance.now();
  const outcomes = await poster.settle(proposals, 'bench/poster', new AbortController().signal);
  const seconds = (performance.now() - startedAt) / 1000;
  if (outcomes.some((outcome) => outcome !== 'posted')) throw new Error('the poster did not post all new changes');
  return proposals.length / seconds;
}

/** Changes in chronological order. The deployments of a slot follow each other, and changes are one second apart. */
function proposalsOf(name: string, perDeployment: number): Proposal[] {
  const startMs = Date.now() - changesPerRound * 1000;
  return Array.from({ length: changesPerRound }, (_, index) => {
    const deployment = Math.floor(index / perDeployment);
    return {
      event: {
        deployment_id: `poster-${name}-${deployment}`,
        service: `service-${deployment % services}`,
        environment: `env-${deployment % 5}`,
        version: '1.2.3',
        status: statuses[index % statuses.length] ?? 'success',
        happened_at: new Date(startMs + index * 1000).toISOString(),
        run_url: `https://ci.example.com/runs/${deployment}`,
        actor: `actor-${deployment % 40}`,
        ref: 'refs/heads/main',
        sha: '0123456789abcdef',
      },
      order: index,
      identity: 'instant',
    };
  });
}

/** The number of rows that were stored after a later change of the same slot from the same call. */
async function outOfOrder({ sql }: Stage): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*)::int from (
       select happened_at < lag(happened_at) over (
         partition by service, environment, substring(deployment_id from '^poster-[a-z]+--?[0-9]+') order by id
       ) as is_behind
       from deployments where deployment_id like 'poster-%'
     ) rows where is_behind`,
  );
  return rows[0]?.count ?? Number.NaN;
}
