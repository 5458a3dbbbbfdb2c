import { type Check, finding } from './finding.ts';

const metric = 'shiplog_prune_refused_events';

/** Whether the service refuses to prune because its clock may have jumped ahead. A proxy usually hides the metrics. */
export const checkPruning: Check = async ({ url, signal }) => {
  const response = await fetch(`${url}/metrics`, { redirect: 'manual', signal });
  const text = response.status === 200 ? await response.text() : '';
  if (response.status !== 200) await response.body?.cancel();
  const refused = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
  if (refused === undefined) {
    return [finding('note', 'pruning', 'The metrics are not served here; ask an instance directly to check pruning.')];
  }
  if (refused === '0') return [finding('ok', 'pruning', 'Pruning is not refused.')];
  const sentence = `Pruning of ${refused} events is refused; check the clock of the database and HISTORY_RETENTION_DAYS, or confirm it with PRUNE_CONFIRM=${refused}.`;
  return [finding('fault', 'pruning', sentence)];
};
