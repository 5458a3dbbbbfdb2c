import { expect, test } from 'vitest';
import { describeBehindProxies } from './support/proxy.ts';
import { rollingRestart } from './support/rolling-restart.ts';

const longestMs = 5000;
/** Readers reconnect after 2 s. */
const readersMs = 3000;

describeBehindProxies((proxy) => {
  test('a rolling restart under load loses nothing, and delays posts by less than 5 s and readers by less than 3 s', async () => {
    const figures = await rollingRestart(proxy, {
      instances: 2,
      times: 2,
      readers: 3,
      pipelines: 12,
      everyMs: 10,
      postsBetween: 200,
    });
    process.stderr.write(`proxy: ${proxy.name} ${JSON.stringify(figures)}\n`);
    // The system accepts connections until the port is closed, and drops the last one if it was not read in that instant.
    expect([[], [502]]).toContainEqual(figures.refused);
    expect(figures.longestPostMs).toBeLessThan(longestMs);
    expect(figures.longestReconnectMs).toBeLessThan(readersMs);
    expect(figures.longestFrameMs).toBeLessThan(readersMs);
  });
});
