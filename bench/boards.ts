import { endpoints, headerNames } from '@shiplog/contract';
import { type Figure, percentile } from './harness/figure.ts';
import { fill } from './harness/fill.ts';
import { inTurn, timedGet } from './harness/http.ts';
import { getLoad } from './harness/load.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const rounds = 5;
const large = { rows: 100_000, days: 30, services: 1000, environments: 50 };
const encodings = { br: 'br', gzip: 'gzip', plain: 'identity' } as const;
type Encoding = keyof typeof encodings;

/**
 * P9 with 50,000 slots: the cost of a large board, plain and compressed, and how long other clients wait in the
 * meantime.
 */
export async function boards(): Promise<Outcome> {
  const stage = await openStage();
  try {
    await fill(stage, large);
    await board(stage, 'plain');
    const figures = [...(await size(stage)), ...(await time(stage)), ...(await waits(stage))];
    return { figures };
  } finally {
    await stage.close();
  }
}

async function size(stage: Stage): Promise<Figure[]> {
  const megabytes = async (encoding: Encoding) => (await board(stage, encoding)).bytes / 1e6;
  const figure = {
    goal: 'P9',
    title: 'board of 50,000 slots, Brotli',
    measured: [await megabytes('br')],
    unit: 'MB',
  };
  return [
    { ...figure, reach: { atMost: 3 } },
    {
      ...figure,
      yardstick: {
        title: `plain (gzip ${(await megabytes('gzip')).toFixed(1)} MB)`,
        measured: [await megabytes('plain')],
      },
      reach: { atMost: 0.2 },
    },
  ];
}

async function time(stage: Stage): Promise<Figure[]> {
  const { measured, yardstick } = await inTurn(rounds, {
    measure: async () => (await board(stage, 'br')).ms,
    yardstick: async () => (await board(stage, 'plain')).ms,
  });
  const figure = { goal: 'P9', title: 'board of 50,000 slots, Brotli, time to the last byte', measured, unit: 'ms' };
  return [
    { ...figure, reach: { atMost: 400 } },
    { ...figure, yardstick: { title: 'plain', measured: yardstick }, reach: { atMost: 1.5 } },
  ];
}

/**
 * Requests a small response while another client continuously reads boards. This shows how long the event loop is
 * blocked.
 */
async function waits(stage: Stage): Promise<Figure[]> {
  const measured: Record<Encoding, number[]> = { br: [], gzip: [], plain: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const encoding of ['br', 'gzip', 'plain'] as const) measured[encoding].push(await probeP99(stage, encoding));
  }
  return (['br', 'gzip'] as const).map((encoding) => ({
    goal: 'compression',
    title: `liveness p99 while boards of 50,000 slots are sent, ${encoding}`,
    measured: measured[encoding],
    unit: 'ms',
    yardstick: { title: 'the same without compression', measured: measured.plain },
    reach: { atMost: 1.2 },
  }));
}

const boardsAtOnce = 3;

async function probeP99(stage: Stage, encoding: Encoding): Promise<number> {
  let taking = true;
  const taken = (async () => {
    for (let count = 0; count < boardsAtOnce; count += 1) await board(stage, encoding);
    taking = false;
  })();
  const times: number[] = [];
  while (taking)
    times.push((await getLoad(`${stage.url}${endpoints.getLiveness.path}`, { connections: 1, seconds: 1 })).p99Ms);
  await taken;
  return percentile(times, 0.5);
}

function board(stage: Stage, encoding: Encoding) {
  return timedGet(stage.url + endpoints.getMatrix.path, { [headerNames.acceptEncoding]: encodings[encoding] });
}
