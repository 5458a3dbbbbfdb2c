import { createHash } from 'node:crypto';
import { type Breach, type DeploymentEvent, type Hold, instantKey, type Outage } from '@shiplog/contract';

/** News that no deployment event reports. Rules name these kinds in `when` (holds.md 4.4, outages.md 4). */
export const newsKinds = ['outage-opened', 'outage-resolved', 'hold-begins', 'hold-ends', 'breach'] as const;
export type NewsKind = (typeof newsKinds)[number];

/** What a piece of news is about. `deployment`: the one that is linked to the outage, or that breaks the hold. */
export type NewsContent =
  | { readonly outage: Outage; readonly deployment?: DeploymentEvent }
  | { readonly hold: Hold; readonly breach?: Breach; readonly deployment?: DeploymentEvent };

export interface NewsMessage {
  readonly kind: NewsKind;
  /** The same on every attempt, even after a restart. */
  readonly id: string;
  /** When it happened; RFC 3339. */
  readonly at: string;
  /** The names that rules compare; one match in each list is enough. */
  readonly services: readonly string[];
  readonly environments: readonly string[];
  readonly content: NewsContent;
  /** As in every message. */
  readonly shiplogUrl?: string;
}

/** News before its content is read. */
export type NewsHead = Omit<NewsMessage, 'content' | 'shiplogUrl'>;

export function isNews(message: { readonly kind: string }): message is NewsMessage {
  return newsKinds.some((kind) => kind === message.kind);
}

/** News that an outage opened or was resolved. An outage without environments is in the `production` environments. */
export function outageNews(outage: Outage, production: readonly string[]): NewsHead[] {
  const { source, outage_id, state, opened_at, resolved_at } = outage;
  if (state === 'dismissed') return [];
  const services = outage.services ?? [];
  const environments = outage.environments?.length ? outage.environments : production;
  const news = (kind: NewsKind, at: string) => ({
    kind,
    id: newsId(kind, source, outage_id, at),
    at,
    services,
    environments,
  });
  return [
    news('outage-opened', opened_at),
    ...(state === 'resolved' && resolved_at !== null ? [news('outage-resolved', resolved_at)] : []),
  ];
}

interface Names {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

/** News that a hold has begun or ended by the instant `now` (RFC 3339). */
export function holdNews(hold: Hold, now: string, { services, environments }: Names): NewsHead[] {
  const { id, from, until, released, created_at } = hold;
  const [end] = [until, released?.at].flatMap((at) => at ?? []).sort(byInstant);
  if (byInstant(from, now) > 0 || (end !== undefined && byInstant(end, from) <= 0)) return [];
  const news = (kind: NewsKind, at: string) => ({ kind, id: newsId(kind, id), at, services, environments });
  return [
    news('hold-begins', byInstant(from, created_at) > 0 ? from : created_at),
    ...(end !== undefined && byInstant(end, now) <= 0 ? [news('hold-ends', end)] : []),
  ];
}

export function breachNews({ hold_id, event_id, service, environment, at }: Breach): NewsHead {
  return {
    kind: 'breach',
    id: newsId('breach', hold_id, event_id),
    at,
    services: [service],
    environments: [environment],
  };
}

/** Compares instants in UTC, which may have different numbers of decimals. */
export function byInstant(one: string, other: string): number {
  return instantKey(one) < instantKey(other) ? -1 : Number(instantKey(one) > instantKey(other));
}

/** Short, because the ids of recent news are part of a target's stored state. */
function newsId(...parts: readonly string[]): string {
  return `news-${createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)}`;
}
