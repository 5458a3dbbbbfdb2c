import { ageOf, longAgeOf } from '@shiplog/text';
import type { LinkState } from '../live/messages.ts';
import { outageMs } from '../live/source-times.ts';

/** The label of a past board, which never updates. */
export const ofThePast = { tone: '', label: 'not live', title: "Showing a past board, which doesn't change." };

/** How fresh the page is, from the state of the connection and the arrival time of the last event (`lastAt`). */
export function freshness({ link, reason, asOf }: LinkState, lastAt: number | undefined, nowMs: number) {
  const why = reason ? ` (${reason})` : '';
  if (link === 'live') {
    const title = lastAt === undefined ? 'Updates arrive as they happen.' : `Last event ${longAgeOf(lastAt, nowMs)}.`;
    return { tone: 'ok', label: lastAt === undefined ? 'live' : `live · ${ageOf(lastAt, nowMs)}`, title };
  }
  if (link === 'ended') return { tone: 'bad', label: 'not live', title: 'Your session has ended. Sign in again.' };
  if (link === 'connecting' || asOf === 0) {
    return {
      tone: 'run',
      label: link === 'connecting' ? 'connecting' : 'reconnecting',
      title: `The service hasn't answered yet${why}.`,
    };
  }
  const age = ageOf(asOf, nowMs);
  const isOut = nowMs - asOf >= outageMs;
  const snapshot = age === 'now' ? 'reconnecting · snapshot' : `snapshot, ${age} old`;
  const doing =
    link === 'polling'
      ? 'The stream is down; refreshing the board every few seconds'
      : "The service isn't responding; retrying";
  return {
    tone: link === 'polling' && !isOut ? 'run' : 'bad',
    label: isOut ? `no answer for ${age}` : snapshot,
    title: `${doing}${why}.`,
  };
}
