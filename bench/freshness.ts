import { createClient } from '@shiplog/client';
import { endpoints } from '@shiplog/contract';
import { anEvent } from '@shiplog/testing/events';
import { StreamReader } from '@shiplog/testing/stream-reader';
import { percentile } from './harness/figure.ts';
import type { Outcome } from './harness/outcome.ts';
import { keys, openStage } from './harness/stage.ts';

const rounds = 5;
const eventsPerRound = 300;

/** P7: the time from the 201 of a post to its frame at a single subscriber of an idle service. */
export async function freshness(): Promise<Outcome> {
  const stage = await openStage();
  try {
    const client = createClient({ baseUrl: stage.url, keys });
    const reader = await StreamReader.connect({ url: `${stage.url}${endpoints.streamDeployments.path}` });
    const lags: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measured: number[] = [];
      for (let index = 0; index < eventsPerRound; index += 1) {
        const before = reader.frames.length;
        const arrived = reader.until(({ frames }) => frames.length > before).then(() => performance.now());
        const answered = client.appendDeployment({ body: anEvent() }).then(() => performance.now());
        const [frameAt, answerAt] = await Promise.all([arrived, answered]);
        measured.push(Math.max(0, frameAt - answerAt));
      }
      lags.push(percentile(measured, 0.99));
    }
    reader.close();
    return {
      figures: [
        { goal: 'P7', title: '201 → frame, p99, one subscriber', measured: lags, unit: 'ms', reach: { atMost: 4 } },
      ],
    };
  } finally {
    await stage.close();
  }
}
