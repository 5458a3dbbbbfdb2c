import { expect, test } from 'vitest';
import { describeBehindProxies } from './support/proxy.ts';
import { rollingRestart } from './support/rolling-restart.ts';

const frameMsMax = 3000;
const postP99MsMax = 1000;

describeBehindProxies((proxy) => {
  test('during a rolling restart of four instances, each frame arrives within 3 s and 99 % of posts succeed within 1 s', async () => {
    const figures = await rollingRestart(proxy, {
      instances: 4,
      times: 2,
      readers: 200,
      pipelines: 10,
      everyMs: 200,
      postsBetween: 150,
    });
    process.stderr.write(`proxy: ${proxy.name} ${JSON.stringify(figures)}\n`);
    expect(figures.longestFrameMs).toBeLessThan(frameMsMax);
    expect(figures.postP99Ms).toBeLessThan(postP99MsMax);
  });
});
