import { createClient } from '@shiplog/client';
import type { CiDeploymentCreated, CiDeploymentRequest, CiStatusRequest, CiWebhookRequest } from '@shiplog/companions';
import { endpoints } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing/events';
import { StreamReader } from '@shiplog/testing/stream-reader';
import { type Figure, number, percentile, quantity, summary } from '../harness/figure.ts';
import { keys, openStage } from '../harness/stage.ts';
import { type Deliveries, type Delivery, openDeliveries } from './deliveries.ts';
import { openTool, type PolledTool } from './polled-tool.ts';

/** Including the warm-up, the runs use fewer requests per minute (four per run) than deliveries are allowed to use. */
const rounds = 4;
const runsPerRound = 30;
const secret = 'secret-of-the-bench';

/** Two sequential jobs, so that the fetcher looks up the parent of the second deployment. */
const workflow = `on: [push]
jobs:
  staging: { environment: staging, runs-on: ubuntu-latest }
  production: { needs: staging, environment: production, runs-on: ubuntu-latest }
`;
const repository = {
  owner: 'acme',
  repo: 'shop',
  workflows: [{ id: 1, name: 'Deploy', path: '.github/workflows/deploy.yml', yaml: workflow }],
  environments: ['staging', 'production'],
  deployments: [],
};

type Kind = 'first' | 'known' | 'plain';
type Times = Readonly<Record<Kind, number[]>>;

/** P20: from a signed GitHub delivery to the frame of its event, compared with a plain post. */
export async function webhooks(): Promise<Figure[]> {
  const stage = await openStage();
  const tool = await openTool(1, { EMIT_STEP_MS: '0' });
  const deliveries = await openDeliveries();
  const reader = await StreamReader.connect({
    url: `${stage.url}${endpoints.streamDeployments.path}`,
    keeps: 'ids',
  });
  try {
    await tool.seed([repository]);
    const hook: CiWebhookRequest = { tool: 'github', url: deliveries.url, secret, events: ['deployment_status'] };
    await tool.control('/webhooks', hook);
    await deliveries.next();
    const fetcher = await tool.startFetcher(stage, {
      GITHUB_WEBHOOK_SECRET: secret,
      CI_MAX_REQUESTS_PER_MINUTE: '800',
      POLL_INTERVAL_SECONDS: '3600',
    });
    try {
      const client = createClient({ baseUrl: stage.url, keys });
      const untilFrame = async (send: () => Promise<unknown>): Promise<number> => {
        const before = reader.count;
        const startedAt = performance.now();
        const arrived = reader.until(({ count }) => count > before).then(() => performance.now() - startedAt);
        const [ms] = await Promise.all([arrived, send()]);
        return ms;
      };
      const deliver = (delivery: Delivery) => untilFrame(() => send(`${fetcher.url}/webhooks/github`, delivery));
      const plain = () => untilFrame(() => client.appendDeployment({ body: anEvent() }));
      const measured: Times[] = [];
      // The first round does not count, because the processes still compile and allocate then.
      for (let round = -1; round < rounds; round += 1) {
        const times = await oneRound(tool, { deliveries, deliver, plain });
        if (round >= 0) measured.push(times);
      }
      const asked = (await tool.requests()).length;
      return figuresOf(measured, asked / ((rounds + 1) * runsPerRound));
    } finally {
      await fetcher.close();
    }
  } finally {
    reader.close();
    deliveries.close();
    await tool.close();
    await stage.close();
  }
}

interface Ways {
  readonly deliveries: Deliveries;
  readonly deliver: (delivery: Delivery) => Promise<number>;
  readonly plain: () => Promise<number>;
}

/**
 * For each run: a delivery for an unknown deployment, a second delivery for the same deployment, and a plain post after
 * each.
 */
async function oneRound(tool: PolledTool, { deliveries, deliver, plain }: Ways): Promise<Times> {
  const times: Times = { first: [], known: [], plain: [] };
  for (let run = 0; run < runsPerRound; run += 1) {
    const deployment: CiDeploymentRequest = {
      repository: 'acme/shop',
      environment: 'production',
      job: 'production',
      state: 'in_progress',
    };
    const { id } = await tool.control<CiDeploymentCreated>('/deployments', deployment);
    times.first.push(await deliver(await deliveries.next()));
    times.plain.push(await plain());
    const success: CiStatusRequest = { state: 'success' };
    await tool.control(`/deployments/${id}/statuses`, success);
    times.known.push(await deliver(await deliveries.next()));
    times.plain.push(await plain());
  }
  return times;
}

async function send(url: string, delivery: Delivery): Promise<void> {
  const answer = await fetch(url, { method: 'POST', ...delivery });
  const text = await answer.text();
  if (!text.includes('"accepted":1')) throw new Error(`a delivery got ${answer.status}: ${text}`);
}

function figuresOf(rounds: readonly Times[], asked: number): Figure[] {
  const of = (kind: Kind, share: number) => rounds.map((times) => percentile(times[kind], share));
  const median = (kind: Kind, share: number) => quantity(number(summary(of(kind, share)).median), 'ms');
  const beyond = (kind: Kind) => of(kind, 0.99).map((ms, round) => ms - (of('plain', 0.99)[round] ?? Number.NaN));
  const plain = `plain post: p50 ${median('plain', 0.5)}, p99 ${median('plain', 0.99)}`;
  const figure = (kind: Kind, what: string): Figure => ({
    goal: 'P20',
    title: `webhook → frame, p99 in addition to a plain post, ${what} (p50 ${median(kind, 0.5)}, p99 ${median(kind, 0.99)}; ${plain})`,
    measured: beyond(kind),
    unit: 'ms',
    reach: { atMost: 50 },
  });
  return [
    figure('known', 'of a known run'),
    figure('first', `the first of its run, with ${asked.toFixed(1)} requests to the tool`),
  ];
}
