import type { CiClock } from '@shiplog/companions';
import { invalid, livenessAnswer, momentary, Problem } from '@shiplog/server';
import { VirtualClock } from '../clock.ts';
import type { EmulatorState } from '../emulator-state.ts';
import { exportedEvents } from '../export/export.ts';
import type { EmulatorApi } from './api.ts';

/** Status, seeding, emission, clock, request log and export (CI emulator §5). */
export function addControl(api: EmulatorApi, state: EmulatorState): void {
  const { clock, emission } = state;
  api.serve('getLiveness', async () => livenessAnswer);
  api.serve('getCiStatus', async () => momentary(state.status));
  api.serve('seedCi', async ({ body }) => {
    state.seed(body);
    return momentary(state.status);
  });
  api.serve('clearCi', async () => {
    state.clear();
    return momentary(state.status);
  });

  api.serve('getCiEmission', async () => momentary(emission.state));
  api.serve('emitCi', async ({ body }) => {
    emission.take(body);
    return momentary(emission.state);
  });

  const time = (): CiClock => ({ clock: clock.kind, now: new Date(clock.now()).toISOString() });
  api.serve('getCiClock', async () => momentary(time()));
  api.serve('moveCiClock', async ({ body: { now, advance_ms = 0 } }) => {
    if (!(clock instanceof VirtualClock)) {
      throw new Problem('validation', {
        status: 409,
        detail: 'The real clock is in use; start the emulator with CLOCK=virtual to move it.',
      });
    }
    const target = (now === undefined ? clock.now() : Date.parse(now)) + advance_ms;
    if (target < clock.now()) {
      throw invalid([{ pointer: '/now', message: `must not be before ${time().now}; the clock moves forwards only` }]);
    }
    clock.moveTo(target);
    return momentary(time());
  });

  api.serve('listCiRequests', async ({ query }) => momentary({ items: state.log.list(query) }));
  api.serve('exportCi', async () => momentary({ items: exportedEvents(state.store) }));
}
