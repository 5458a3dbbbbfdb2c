import { createClient, createReporter } from '@shiplog/client';
import { type ControlFrameType, endpoints, keyHeaders } from '@shiplog/contract';
import { StreamReader } from '@shiplog/testing/stream-reader';
import type { Figure } from './harness/figure.ts';
import { fill } from './harness/fill.ts';
import { postLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { keys, openStage, type Stage } from './harness/stage.ts';

const million = 1_000_000;
const rounds = 3;
const seconds = 5;
const connections = 64;
const shape = { services: 200, environments: 5 };

/** The control plane under load: resets and components. */
export async function control(): Promise<Outcome> {
  const stage = await openStage({ RESET_EXPECTED_COMPONENTS: '' });
  try {
    return { figures: [await resets(stage), await components(stage)] };
  } finally {
    await stage.close();
  }
}

/** The time from `reset-started` to `reset-completed`, as seen by a component. */
async function resets(stage: Stage): Promise<Figure> {
  const client = createClient({ baseUrl: stage.url, keys });
  const measured: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await fill(stage, { rows: million, days: 365, ...shape });
    const stream = await controlStream(stage, 'bench');
    const told = (type: ControlFrameType) => stream.until(({ frames }) => frames.some(({ event }) => event === type));
    await client.startReset();
    await told('reset-started');
    const startedAt = performance.now();
    await told('reset-completed');
    measured.push((performance.now() - startedAt) / 1000);
    stream.close();
  }
  const title = 'reset of 1M rows, reset-started → reset-completed';
  return { goal: 'reset', title, measured, unit: 's', reach: { atMost: 2 } };
}

const componentCount = 500;
const heartbeatMs = 30_000;

/** Ingest with 500 components that follow the control stream and send heartbeats, compared with ingest alone. */
async function components(stage: Stage): Promise<Figure> {
  const alone: number[] = [];
  const accompanied: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await postsPerSecond(stage));
    const stop = await startComponents(stage);
    accompanied.push(await postsPerSecond(stage));
    stop();
  }
  return {
    goal: 'components',
    title: `posts with ${componentCount} components, 64 connections`,
    measured: accompanied,
    unit: '/s',
    yardstick: { title: 'without', measured: alone },
    reach: { atLeast: 0.95 },
  };
}

async function startComponents(stage: Stage): Promise<() => void> {
  const ids = Array.from({ length: componentCount }, (_, index) => `component-${index}`);
  const streams = await Promise.all(ids.map((id) => controlStream(stage, id)));
  const reporters = ids.map((componentId) =>
    createReporter({ baseUrl: stage.url, apiKey: keys.api, componentId, timeoutMs: 30_000 }),
  );
  let turn = 0;
  const heart = setInterval(() => {
    const reporter = reporters[turn % componentCount];
    turn += 1;
    void reporter?.heartbeat('running');
  }, heartbeatMs / componentCount);
  return () => {
    clearInterval(heart);
    for (const stream of streams) stream.close();
  };
}

function controlStream(stage: Stage, component: string): Promise<StreamReader> {
  return StreamReader.connect({
    url: `${stage.url}${endpoints.streamControl.path}?component=${component}`,
    headers: { [keyHeaders.control]: keys.control },
  });
}

async function postsPerSecond(stage: Stage): Promise<number> {
  return (await postLoad(stage, connections, seconds)).perSecond;
}
