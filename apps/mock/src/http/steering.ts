import { byCodePoint, type MockDemo, type MockDemoReset, type MockEmission, type MockStatus } from '@shiplog/contract';
import { sortedDistinct } from '../name-order.ts';
import type { World } from '../world.ts';
import type { MockSurface } from './surface.ts';

/** What steers the mock: `/_mock/*` (companion services §4, reading 10.3). */
export function addSteering(surface: MockSurface, world: World): void {
  const { log, emission, fetcherStates } = world;
  const emitting = (): MockEmission => ({ emitting: emission.emitting, event_count: log.visible.length });
  const demo = (): MockDemo => ({ enabled: log.demoEnabled });
  const status = (): MockStatus => ({
    ...emitting(),
    demo_enabled: log.demoEnabled,
    fetcher_adapters: sortedDistinct(fetcherStates.keys(), byCodePoint),
  });

  surface.serve('getMockStatus', async () => answer(status()));
  surface.serve('resetMock', async () => {
    world.reset();
    return answer(status());
  });

  surface.serve('getMockEmission', async () => answer(emitting()));
  surface.serve('switchMockEmission', async ({ body: { enabled = !emission.emitting } }) => {
    if (enabled) emission.start();
    else emission.stop();
    return answer(emitting());
  });

  surface.serve('getMockDemo', async () => answer(demo()));
  surface.serve('switchMockDemo', async ({ body: { enabled = !log.demoEnabled } }) => {
    log.demoEnabled = enabled;
    return answer(demo());
  });
  surface.serve('resetMockDemo', async () => {
    world.resetDemo();
    return answer<MockDemoReset>({ enabled: true, event_count: log.visible.length });
  });
}

function answer<Body>(body: Body) {
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify(body) };
}
