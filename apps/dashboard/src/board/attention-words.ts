import { ageOf, pluralize, versionOf } from '@shiplog/text';
import { clockTime } from './age.ts';
import { type Attention, type AttentionKind, attentionKinds } from './attention.ts';
import { eventShown } from './box.ts';
import { cellSentence } from './sentence.ts';

export interface AgeContext {
  readonly nowMs: number;
  /** During an outage, times replace ages: an age implies that nothing has happened since. */
  readonly isOut: boolean;
}

/** "failed 12 min ago", "stuck: 6 h, usually 4 min". */
export function problemText(
  attention: Pick<Attention, 'kind' | 'sinceMs' | 'usualMinutes' | 'box'>,
  { nowMs, isOut }: AgeContext,
): string {
  const { kind, sinceMs, usualMinutes, box } = attention;
  const since = `since ${clockTime(sinceMs, nowMs)}`;
  const span = isOut ? since : ageOf(sinceMs, nowMs);
  const usually = usualMinutes === undefined ? '' : `, usually ${spanOf(usualMinutes)}`;
  if (kind === 'failed') return `failed ${isOut ? since : agoOf(sinceMs, nowMs)}`;
  if (kind === 'stuck' || kind === 'slow') return `${kind}: ${span}${usually}`;
  if (kind === 'waits') return `${box?.tone === 'wait' ? 'first deployment waits' : 'waits for approval'}, ${span}`;
  if (kind === 'ahead') return ageOf(sinceMs, nowMs).replace('dated', 'clock');
  return isOut ? `silent ${since}` : `silent for ${span}`;
}

/** "last success 7.1.4, 6 d", "no update since 08:21". */
export function detailOf({ kind, sinceMs, usualMinutes, box }: Attention, { nowMs }: AgeContext): string {
  const event = box && eventShown(box);
  const at = clockTime(sinceMs, nowMs);
  if (kind === 'failed') {
    const last = box?.lastSuccess;
    return last
      ? `last success ${versionOf(last)}, ${ageOf(Date.parse(last.happened_at), nowMs)}`
      : 'no earlier success';
  }
  if (kind === 'stuck') return `no update since ${at}`;
  if (kind === 'slow') return `started ${at}${event?.actor ? ` by ${event.actor}` : ''}`;
  if (kind === 'waits') return `${(box?.tone === 'wait' ? box.latest : box?.next)?.status ?? 'waiting'} since ${at}`;
  if (kind === 'ahead') return `hides newer events until ${at}`;
  return usualMinutes === undefined ? 'no events in 24 h' : `usually one every ${spanOf(usualMinutes)}`;
}

export function versionIn({ kind, box }: Attention): string | undefined {
  if (!box) return undefined;
  if (kind === 'waits' && box.next) return versionOf(box.next);
  return versionOf(eventShown(box).id === box.latest.id ? box.named : eventShown(box));
}

export function attentionSentence(attention: Attention, ages: AgeContext): string {
  const { kind, service, environment, box } = attention;
  if (environment === undefined) {
    return `Reporter ${reporterName(service)}: ${problemText(attention, ages)}; ${detailOf(attention, ages)}`;
  }
  if (kind === 'failed') return cellSentence(service, environment, box, ages.nowMs);
  return `${service} in ${environment}: ${versionIn(attention)} ${problemText(attention, ages)}; ${detailOf(attention, ages)}`;
}

export function reporterName(reporter: string): string {
  return reporter === '' ? 'without a name' : reporter;
}

function agoOf(sinceMs: number, nowMs: number): string {
  const age = ageOf(sinceMs, nowMs);
  return age === 'now' || age.endsWith('ahead') ? age : `${age} ago`;
}

/** "9 min", "40 s". */
function spanOf(minutes: number): string {
  const span = ageOf(0, minutes * 60_000);
  return span === 'now' ? 'a moment' : span;
}

/** The kinds of attention; failures in production are a separate kind. */
export type AttentionPart = AttentionKind | 'production';

const parts: readonly AttentionPart[] = ['production', ...attentionKinds];

export function partOf({ kind, isProduction }: Attention): AttentionPart {
  return kind === 'failed' && isProduction ? 'production' : kind;
}

export function inPart(items: readonly Attention[], part: AttentionPart): Attention[] {
  return items.filter((item) => partOf(item) === part);
}

/**
 * The count of each part that has items: "1 failed in prod", "4 failed elsewhere", "1 stuck". `among` has all items,
 * because the words depend on whether any item is in production.
 */
export function partCounts(items: readonly Attention[], among = items) {
  const [first] = among;
  const production = first && partOf(first) === 'production' ? (first.environment ?? '') : undefined;
  return parts.flatMap((part) => {
    const count = inPart(items, part).length;
    return count === 0 ? [] : [{ part, text: `${count} ${wordOf(part, count, production)}` }];
  });
}

function wordOf(part: AttentionPart, count: number, production: string | undefined): string {
  if (part === 'production') return `failed in ${production}`;
  if (part === 'failed' && production !== undefined) return 'failed elsewhere';
  if (part === 'waits') return count === 1 ? 'waits' : 'wait';
  if (part === 'ahead') return 'clock ahead';
  if (part === 'silent') return `${pluralize(count, 'reporter').replace(/^\d+ /, '')} silent`;
  return part;
}

export function attentionHeadline(items: readonly Attention[]): string {
  if (items.length === 0) return 'Nothing needs attention';
  return items.length === 1 ? '1 needs attention' : `${items.length} need attention`;
}
