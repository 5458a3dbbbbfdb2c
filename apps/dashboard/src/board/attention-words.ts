import { ageOf, pluralize, versionOf } from '@shiplog/text';
import { type AgeContext, clockTime } from './age.ts';
import { type Attention, type AttentionKind, attentionKinds } from './attention.ts';
import { eventNamed, eventShown } from './box.ts';
import { cellSentence } from './sentence.ts';

/** "usually 4 min". */
export function usualText(minutes: number): string {
  return `usually ${usualSpan(minutes)}`;
}

/** "failed 12 min ago", "stuck 6 h, usually 4 min". */
export function problemText(
  attention: Pick<Attention, 'kind' | 'sinceMs' | 'usualMinutes' | 'box' | 'cause'>,
  { nowMs, isOut }: AgeContext,
): string {
  const { kind, sinceMs, usualMinutes, box, cause } = attention;
  const since = `since ${clockTime(sinceMs, nowMs)}`;
  const span = isOut ? since : ageOf(sinceMs, nowMs);
  const usually = usualMinutes === undefined ? '' : `, ${usualText(usualMinutes)}`;
  if (kind === 'failed') return `failed ${isOut ? since : agoOf(sinceMs, nowMs)}`;
  if (kind === 'outage') return `outage ${span}${cause === undefined ? '' : `, ${cause}`}`;
  if (kind === 'bad') return `bad version, marked ${isOut ? since : agoOf(sinceMs, nowMs)}`;
  if (kind === 'stuck' || kind === 'slow') return `${kind} ${span}${usually}`;
  if (kind === 'waits') return `${box?.tone === 'wait' ? 'first deployment waits' : 'waits for approval'}, ${span}`;
  if (kind === 'ahead') return ageOf(sinceMs, nowMs).replace('dated', 'clock');
  return isOut ? `silent ${since}` : `silent for ${span}`;
}

/** As `problemText`, for a narrow item: "failed 12 min", "waiting 2 h". */
export function shortProblem(attention: Attention, ages: AgeContext): string {
  const { kind, sinceMs } = attention;
  if (kind === 'bad') return 'bad version';
  if (kind === 'waits' && !ages.isOut) return `waiting ${ageOf(sinceMs, ages.nowMs)}`;
  return problemText({ ...attention, usualMinutes: undefined, cause: undefined }, ages).replace(/ ago$/, '');
}

/** "last success 7.1.4, 6 d", "no update since 08:21". */
export function detailOf({ kind, sinceMs, usualMinutes, box, text }: Attention, { nowMs, isOut }: AgeContext): string {
  const event = box && eventShown(box);
  const at = clockTime(sinceMs, nowMs);
  if (kind === 'failed') {
    const last = box?.lastSuccess;
    if (!last) return 'no earlier success';
    const lastMs = Date.parse(last.happened_at);
    return `last success ${versionOf(last)}, ${isOut ? clockTime(lastMs, nowMs) : ageOf(lastMs, nowMs)}`;
  }
  if (text) return text;
  if (kind === 'stuck') return `no update since ${at}`;
  if (kind === 'slow') return `started ${at}${event?.actor ? ` by ${event.actor}` : ''}`;
  if (kind === 'waits') return `${(box?.tone === 'wait' ? box.latest : box?.next)?.status ?? 'waiting'} since ${at}`;
  if (kind === 'ahead') return `hides newer events until ${at}`;
  return usualMinutes === undefined ? 'no events in 24 h' : `usually one every ${usualSpan(usualMinutes)}`;
}

export function versionIn({ kind, box }: Attention): string | undefined {
  if (!box || kind === 'outage') return undefined;
  if (kind === 'waits' && box.next) return versionOf(box.next);
  if (kind === 'bad' && box.lastSuccess) return versionOf(box.lastSuccess);
  return versionOf(eventNamed(box));
}

export function attentionSentence(attention: Attention, ages: AgeContext): string {
  const { kind, service, environment, box } = attention;
  if (environment === undefined) {
    return `Reporter ${reporterName(service)}: ${problemText(attention, ages)}; ${detailOf(attention, ages)}`;
  }
  if (kind === 'failed') return cellSentence(service, environment, box, ages);
  const version = versionIn(attention);
  const what = `${version === undefined ? '' : `${version} `}${problemText(attention, ages)}`;
  return `${service} in ${environment}: ${what}; ${detailOf(attention, ages)}`;
}

export function reporterName(reporter: string): string {
  return reporter === '' ? 'without a name' : reporter;
}

function agoOf(sinceMs: number, nowMs: number): string {
  const age = ageOf(sinceMs, nowMs);
  return age === 'now' || age.endsWith('ahead') ? age : `${age} ago`;
}

/** "40 s", "9 min", "100 min", "3 h": to the nearest unit, with at least two hours or two days in the larger ones. */
export function usualSpan(minutes: number): string {
  if (minutes < 1 / 12) return 'a moment';
  if (minutes < 1) return `${Math.round(minutes * 60)} s`;
  if (minutes < 2 * 60) return `${Math.round(minutes)} min`;
  const hours = minutes / 60;
  return hours < 2 * 24 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} d`;
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

/** The count of each part that has items: "1 failed in production", "4 failed elsewhere", "1 stuck". */
export function partCounts(items: readonly Attention[]) {
  const hasProduction = items.some((item) => partOf(item) === 'production');
  return parts.flatMap((part) => {
    const count = inPart(items, part).length;
    return count === 0 ? [] : [{ part, text: `${count} ${wordOf(part, count, hasProduction)}` }];
  });
}

function wordOf(part: AttentionPart, count: number, hasProduction: boolean): string {
  if (part === 'production') return 'failed in production';
  if (part === 'failed' && hasProduction) return 'failed elsewhere';
  if (part === 'outage') return count === 1 ? part : `${part}s`;
  if (part === 'bad') return `bad ${count === 1 ? 'version' : 'versions'} in production`;
  if (part === 'waits') return 'waiting';
  if (part === 'ahead') return 'clock ahead';
  if (part === 'silent') return `${pluralize(count, 'reporter').replace(/^\d+ /, '')} silent`;
  return part;
}

/** "5 services need attention", by their new items; `older` = there are items that began more than a day ago. */
export function attentionHeadline(items: readonly Attention[], hasOlder = false): string {
  const services = servicesIn(items);
  if (services > 0) return `${pluralize(services, 'service')} ${services === 1 ? 'needs' : 'need'} attention`;
  if (items.length > 0) return `${pluralize(items.length, 'reporter')} silent`;
  return hasOlder ? 'Nothing new needs attention' : 'Nothing needs attention';
}

/** The number of services that need attention. A silent reporter doesn't count as one. */
export function servicesIn(items: readonly Attention[]): number {
  return new Set(items.flatMap(({ service, environment }) => (environment === undefined ? [] : service))).size;
}
