import type { MockDemo, MockDemoReset, MockEmission, MockStatus } from '@shiplog/companions';
import { byCodePoint } from '@shiplog/contract';
import { momentary } from '@shiplog/server';
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

  api.serve('getMockStatus', async () => momentary(status()));
  api.serve('resetMock', async () => {
    state.reset();
    return momentary(status());
  });

  api.serve('getMockEmission', async () => momentary(emitting()));
  api.serve('switchMockEmission', async ({ body: { enabled = !emission.emitting } }) => {
    if (enabled) emission.start();
    else emission.stop();
    return momentary(emitting());
  });

  api.serve('getMockDemo', async () => momentary(demo()));
  api.serve('switchMockDemo', async ({ body: { enabled = !log.demoEnabled } }) => {
    log.demoEnabled = enabled;
    return momentary(demo());
  });
  api.serve('resetMockDemo', async () => {
    state.resetDemo();
    return momentary({ enabled: true, event_count: log.visible.length } satisfies MockDemoReset);
  });
}
