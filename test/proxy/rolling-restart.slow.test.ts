import { expect, test } from 'vitest';
import { describeBehindProxies } from './support/proxy.ts';
import { rollingRestart } from './support/rolling-restart.ts';

const longestMs = 5000;

describeBehindProxies((proxy) => {
  test('a rolling restart under load loses nothing, and no client waits for more than 5 s', async () => {
    const figures = await rollingRestart(proxy, {
      instances: 2,
      times: 2,
      readers: 3,
      pipelines: 6,
      everyMs: 10,
      postsBetween: 100,
    });
    process.stderr.write(`proxy: ${proxy.name} ${JSON.stringify(figures)}\n`);
    expect(figures.longestPostMs).toBeLessThan(longestMs);
    expect(figures.longestReconnectMs).toBeLessThan(longestMs);
    expect(figures.longestFrameMs).toBeLessThan(longestMs);
  });
});
