import type { MockDemo, MockDemoReset, MockEmission, MockStatus } from '@shiplog/companions';
import { byCodePoint } from '@shiplog/contract';
import { sortedDistinct } from '../name-order.ts';
import type { MockState } from '../state.ts';
import type { MockApi } from './api.ts';

/** Control of the mock: `/_mock/*` (companion services §4, reading 10.3). */
export function addSteering(api: MockApi, state: MockState): void {
  const { log, emission, fetcherStates } = state;
  const emitting = (): MockEmission => ({ emitting: emission.emitting, event_count: log.visible.length });
  const demo = (): MockDemo => ({ enabled: log.demoEnabled });
  const status = (): MockStatus => ({
    ...emitting(),
    demo_enabled: log.demoEnabled,
    fetcher_adapters: sortedDistinct(fetcherStates.keys(), byCodePoint),
  });

  api.serve('getMockStatus', async () => answer(status()));
  api.serve('resetMock', async () => {
    state.reset();
    return answer(status());
  });

  api.serve('getMockEmission', async () => answer(emitting()));
  api.serve('switchMockEmission', async ({ body: { enabled = !emission.emitting } }) => {
    if (enabled) emission.start();
    else emission.stop();
    return answer(emitting());
  });

  api.serve('getMockDemo', async () => answer(demo()));
  api.serve('switchMockDemo', async ({ body: { enabled = !log.demoEnabled } }) => {
    log.demoEnabled = enabled;
    return answer(demo());
  });
  api.serve('resetMockDemo', async () => {
    state.resetDemo();
    return answer<MockDemoReset>({ enabled: true, event_count: log.visible.length });
  });
}

function answer<Body>(body: Body) {
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify(body) };
}
