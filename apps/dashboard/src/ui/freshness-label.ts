import { ageOf, longAgeOf } from '../board/age.ts';
import type { LinkState } from '../live/messages.ts';
import { outageMs } from '../live/source-times.ts';

/** The same for a past board, which nothing makes fresher. */
export const ofThePast = { tone: '', label: 'not live', title: 'A past board is shown; it does not change.' };

/** How fresh the page is at a time, for its link; `lastAt` is when the last event came. */
export function freshness({ link, reason, asOf }: LinkState, lastAt: number | undefined, nowMs: number) {
  const why = reason ? ` (${reason})` : '';
  if (link === 'live') {
    const title =
      lastAt === undefined ? 'Changes come as they happen.' : `The last event came ${longAgeOf(lastAt, nowMs)}.`;
    return { tone: 'ok', label: lastAt === undefined ? 'live' : `live · ${ageOf(lastAt, nowMs)}`, title };
  }
  if (link === 'connecting' || asOf === 0) {
    return {
      tone: 'run',
      label: link === 'connecting' ? 'connecting' : 'reconnecting',
      title: `The service has not answered yet${why}.`,
    };
  }
  const age = ageOf(asOf, nowMs);
  const isOut = nowMs - asOf >= outageMs;
  const snapshot = age === 'now' ? 'reconnecting · snapshot' : `snapshot, ${age} old`;
  const doing =
    link === 'polling'
      ? 'The stream is down, the board is asked for every few seconds'
      : 'The service does not answer; trying again';
  return {
    tone: link === 'polling' && !isOut ? 'run' : 'bad',
    label: isOut ? `no answer for ${age}` : snapshot,
    title: `${doing}${why}.`,
  };
}
