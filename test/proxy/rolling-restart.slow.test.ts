import { expect, test } from 'vitest';
import { describeBehindProxies } from './support/proxy.ts';
import { rollingRestart } from './support/rolling-restart.ts';

/** Other tests share the processor, so this form detects only long delays; the long form has the documented limits. */
const longestMs = 5000;

describeBehindProxies((proxy) => {
  test('a rolling restart under load loses nothing, and delays neither posts nor readers for long', async () => {
    const figures = await rollingRestart(proxy, {
      instances: 2,
      times: 2,
      readers: 3,
      pipelines: 12,
      everyMs: 10,
      postsBetween: 200,
    });
    process.stderr.write(`proxy: ${proxy.name} ${JSON.stringify(figures)}\n`);
    expect(figures.refused).toBe('');
    expect(figures.longestPostMs).toBeLessThan(longestMs);
    expect(figures.longestReconnectMs).toBeLessThan(longestMs);
    expect(figures.longestFrameMs).toBeLessThan(longestMs);
  });
});
