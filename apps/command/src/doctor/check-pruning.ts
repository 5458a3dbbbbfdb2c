import { type Check, finding, isReaderRefused, readHeaders } from './finding.ts';

const metric = 'shiplog_prune_refused_events';

/**
 * Checks whether the service refuses to prune because its clock may have jumped forward. A proxy usually hides the
 * metrics.
 */
export const checkPruning: Check = async (installation) => {
  const { url, signal } = installation;
  const headers = readHeaders(installation);
  const response = await fetch(`${url}/metrics`, { headers, redirect: 'manual', signal });
  const text = response.status === 200 ? await response.text() : '';
  if (response.status !== 200) await response.body?.cancel();
  const refused = new RegExp(`^${metric} (\\d+)$`, 'm').exec(text)?.[1];
  // Another check says what a refused reader needs.
  if (isReaderRefused(response)) return [];
  if (refused === undefined) {
    const hint = 'Metrics are not available at this address. To check pruning, run this against an instance directly.';
    return [finding('note', 'pruning', hint)];
  }
  if (refused === '0') return [finding('ok', 'pruning', 'Pruning works.')];
  const sentence = `The service refuses to prune ${refused} events. Check the database clock and HISTORY_RETENTION_DAYS, or confirm with PRUNE_CONFIRM=${refused}.`;
  return [finding('fault', 'pruning', sentence)];
};
