import { computedQuestions, ladder, pathOf } from './analytics.ts';
import { fillAndBuild } from './harness/fill.ts';
import { changeLog, inTurn, okMs } from './harness/http.ts';
import type { Outcome } from './harness/outcome.ts';
import { processorMsWithEnded } from './harness/processor.ts';
import { openStage } from './harness/stage.ts';
import { openStandby } from './harness/standby.ts';

const rounds = 5;
const shape = { rows: 1_000_000, days: 30, services: 1000, environments: ladder.length };
const settings = { ANALYTICS_FUNNEL_ENVIRONMENTS: ladder.join(',') };
const paths = computedQuestions.map(pathOf);

/**
 * Measures the CPU time on the primary for first responses that a standby computes, and for those that the primary
 * computes.
 */
export async function standby(): Promise<Outcome> {
  const stage = await openStage(settings);
  try {
    await fillAndBuild(stage, shape);
    const follower = await openStandby(stage);
    const reading = stage.startInstance({ ...settings, READ_DATABASE_URL: follower.url });
    try {
      const url = await reading.ready();
      /** CPU milliseconds of the primary per response of the instance at `base`. */
      const costOf = async (base: string) => {
        let spent = 0;
        for (const path of paths) {
          await changeLog(stage);
          await follower.caughtUp();
          const before = await processorMsWithEnded([stage.server.pid]);
          await okMs(base + path);
          spent += (await processorMsWithEnded([stage.server.pid])) - before;
        }
        return spent / paths.length;
      };
      // The first queries of an instance open its connections.
      for (const base of [url, stage.url]) await costOf(base);
      const { measured, yardstick } = await inTurn(rounds, {
        measure: () => costOf(url),
        yardstick: () => costOf(stage.url),
      });
      return {
        figures: [
          {
            goal: 'standby',
            title: `processor time of the primary per first response, mean of ${paths.length}, 1M rows in 30 days`,
            measured,
            unit: 'ms',
            yardstick: { title: 'the same without a standby', measured: yardstick },
            reach: { atMost: 1 / 4 },
          },
        ],
      };
    } finally {
      await reading.terminate();
      await follower.close();
    }
  } finally {
    await stage.close();
  }
}
