import { latestReports } from '../questions/components.ts';
import { type Check, type Finding, finding } from './finding.ts';

const silentSecondsMax = 90;

/** Checks that the expected components report, and the state of every component that does. */
export const checkComponents = (expected: readonly string[]): Check => {
  const say = (level: Finding['level'], text: string) => finding(level, 'components', text);
  return async ({ client, clock, signal }) => {
    const reports = await latestReports(client, signal);
    const missing = expected.filter((id) => !reports.some(({ component_id }) => component_id === id));
    const now = clock.now().getTime();
    const found = reports.map(({ component_id, received_at, state, detail }) => {
      const seconds = Math.round((now - Date.parse(received_at)) / 1000);
      if (seconds > silentSecondsMax) {
        // The component may have been stopped on purpose, or have nothing to do.
        if (!expected.includes(component_id)) {
          return say('note', `${component_id} last reported ${seconds} s ago (${state}). --expect makes this a fault.`);
        }
        return say('fault', `${component_id} has not reported for ${seconds} s. Start it, or check its log.`);
      }
      const said = detail === undefined ? '' : `: ${detail}`;
      if (state === 'error') return say('fault', `${component_id} reports an error${said}. Check its log.`);
      return say('ok', `${component_id} is ${state}.`);
    });
    if (found.length + missing.length === 0) return [say('note', 'No component has reported in the last two hours.')];
    return [
      ...found,
      ...missing.map((id) => say('fault', `${id} has not reported in the last two hours. Start it, or check its id.`)),
    ];
  };
};
