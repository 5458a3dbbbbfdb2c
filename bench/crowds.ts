import { type Delivered, deliver, empty, type Served } from './harness/crowd.ts';
import type { Figure } from './harness/figure.ts';
import type { Outcome } from './harness/outcome.ts';
import { openStage, type Stage } from './harness/stage.ts';

const rounds = 2;
/** The number of instances, and the number of subscribers per instance. */
const crowds = [
  { instances: 1, each: 10_000 },
  { instances: 2, each: 10_000 },
  { instances: 4, each: 10_000 },
  { instances: 4, each: 2500 },
] as const;
const delivery = { events: 12, perSecond: 1 };

type Crowd = (typeof crowds)[number];

/** Measures growing numbers of subscribers on a growing number of instances. */
export async function crowdsOfSubscribers(): Promise<Outcome> {
  const stage = await openStage();
  try {
    const delivered = new Map<Crowd, Delivered[]>(crowds.map((crowd) => [crowd, []]));
    await withFurther(stage, Math.max(...crowds.map(({ instances }) => instances)) - 1, async (all) => {
      for (let round = 0; round < rounds; round += 1) {
        for (const crowd of crowds) {
          delivered.get(crowd)?.push(await deliver(stage, all.slice(0, crowd.instances), { ...crowd, ...delivery }));
        }
      }
    });
    return { figures: deliveryFigures(delivered) };
  } finally {
    await stage.close();
  }
}

async function withFurther(stage: Stage, count: number, run: (all: readonly Served[]) => Promise<void>): Promise<void> {
  const further = Array.from({ length: count }, () => stage.startInstance());
  try {
    const started = await Promise.all(further.map(async (one) => empty(await one.ready(), one.pid)));
    await run([await empty(stage.url, stage.servicePid), ...started]);
  } finally {
    await Promise.all(further.map((instance) => instance.terminate()));
  }
}

function deliveryFigures(delivered: ReadonlyMap<Crowd, Delivered[]>): Figure[] {
  const [yardstick = []] = delivered.values();
  return [...delivered].flatMap(([crowd, seen], index) => {
    const { instances, each } = crowd;
    const name = `${instances} × ${each.toLocaleString('en')} subscribers`;
    // Two cores both serve and read all subscribers, so the time limit grows with the number of subscribers, but the
    // cost limit per frame doesn't.
    const times = Math.max(1, (instances * each) / crowds[0].each);
    const figure = (title: string, of: (seen: Delivered) => number, unit: string, atMost: number): Figure => ({
      goal: 'crowds',
      title: `${name}: ${title}`,
      measured: seen.map(of),
      unit,
      ...(index > 0 && {
        yardstick: { title: `1 × ${crowds[0].each.toLocaleString('en')}`, measured: yardstick.map(of) },
      }),
      reach: { atMost },
    });
    const absolute = index === 0;
    return [
      figure('201 → frame, p50', ({ p50Ms }) => p50Ms, 'ms', absolute ? 250 : times * 1.2),
      figure('201 → frame, p99', ({ p99Ms }) => p99Ms, 'ms', absolute ? 500 : times * 1.2),
      figure('201 → frame at the last subscriber', ({ lastMs }) => lastMs, 'ms', absolute ? 500 : times * 1.2),
      figure('sending → frame, p99', ({ fromSendingP99Ms }) => fromSendingP99Ms, 'ms', absolute ? 500 : times * 1.2),
      figure('processor time of the instances per frame', ({ frameUs }) => frameUs, 'µs', absolute ? 12 : 1.2),
      figure('processor time of an instance per opened stream', ({ openUs }) => openUs, 'µs', absolute ? 500 : 1.2),
      // With fewer subscribers than before, garbage from earlier subscribers would hide the memory of later ones.
      ...(each < crowds[0].each
        ? []
        : [figure('memory per subscriber', ({ subscriberKb }) => subscriberKb, 'KB', absolute ? 20 : 1.2)]),
    ];
  });
}
