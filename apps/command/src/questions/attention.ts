import type { Client } from '@shiplog/client';
import { type BoardFacts, byCodePoint, type Matrix } from '@shiplog/contract';
import { ageOf, releaseName } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { globs, serviceFilter } from '../log/globs.ts';
import { refuseUnmatched } from '../log/known-names.ts';
import { inMinutes } from './event-words.ts';
import { show } from './listing.ts';
import { scopeQuery } from './query-options.ts';
import { shownMatrix } from './shown-matrix.ts';

/** What can need attention, most urgent first (board-facts.md 3.9). */
const kinds = ['failed', 'stuck', 'slow', 'hidden', 'silent'] as const;
type Kind = (typeof kinds)[number];

export interface AttentionItem {
  /** Null for a silent reporter, which belongs to no place. */
  readonly service: string | null;
  readonly environment: string | null;
  readonly kind: Kind;
  readonly since: string;
  /** Only for a silent reporter; null for events without a reporter name. */
  readonly reporter?: string | null;
  readonly detail: string;
  readonly isProduction: boolean;
}

export interface Attention {
  readonly items: readonly AttentionItem[];
  readonly generated_at: string;
}

/** `shiplog attention` (board-facts.md 3.9). */
export async function showAttention({ options }: Given, context: Context): Promise<number> {
  const { out, clock, signal } = context;
  const names = { services: '--services', environments: '--environments' };
  const { items } = await readAttention(await context.client(), scopeQuery(options), { names, signal });
  if (out.isJson) {
    for (const { kind, service, environment, since, reporter } of items)
      out.json({ kind, service, environment, since, reporter });
  } else if (items.length > 0) print(items, { out, clock });
  else out.note('Nothing needs attention: no deployment failed, is stuck, slow or hidden, and no reporter is silent.');
  return items.some(({ isProduction }) => isProduction) ? exitCodes.no : exitCodes.done;
}

function print(items: readonly AttentionItem[], { out, clock }: Pick<Context, 'out' | 'clock'>): void {
  const now = clock.now().getTime();
  show(out, {
    head: ['attention', 'service', 'environment', 'since', 'age', 'details'],
    rows: items.map(({ kind, service, environment, since, detail }) => [
      ...[kind, service ?? '', environment ?? '', since],
      ...[ageOf(Date.parse(since), now), detail],
    ]),
    styleOf: (text, column) => {
      if (column !== 0) return undefined;
      return text === 'failed' ? 'red' : 'yellow';
    },
  });
}

interface Reading {
  /** How a caller writes the filters, for errors. */
  readonly names: Readonly<Record<'services' | 'environments', string>>;
  readonly signal: AbortSignal;
}

/** What needs attention, in order. The scope doesn't apply to reporters. @throws Failure for an unknown name */
export async function readAttention(
  client: Client,
  scope: ReturnType<typeof scopeQuery>,
  { names, signal }: Reading,
): Promise<Attention> {
  const isEnvironment = globs(names.environments, scope.environments);
  const isService = await serviceFilter(client, { ...scope, option: names.services }, signal);
  await refuseUnmatched(client, scope, signal);
  const [{ body: matrix }, { body: facts }] = await Promise.all([
    client.getMatrix({ signal }),
    client.getBoardFacts({ query: scope, signal }),
  ]);
  const failed = shownMatrix(matrix, { isService, isEnvironment, isFailedOnly: true });
  return { items: itemsOf(failed, facts), generated_at: facts.generated_at };
}

type Found = Omit<AttentionItem, 'isProduction'>;

/** The facts of a service. An earlier version has no stages. */
type Facts = Omit<BoardFacts, 'stages'> & Partial<Pick<BoardFacts, 'stages'>>;

function itemsOf(matrix: Matrix, { places, emitters, stages, production: last }: Facts): AttentionItem[] {
  const production = stages?.find((stage) => stage.production)?.environments;
  const isInProduction = (environment: string) =>
    production ? production.includes(environment) : environment.toLowerCase() === last.toLowerCase();
  const failed = failedIn(matrix);
  const hasFailed = new Set(failed.map(placeKey));
  const lagging = places.filter((place) => !hasFailed.has(placeKey(place))).flatMap(mostUrgentOf);
  const silent = emitters.map(
    ({ reporter, last_at, usual_interval_minutes: minutes }): Found => ({
      ...{ kind: 'silent', service: null, environment: null, since: last_at, reporter },
      detail: [reporter ?? '(no reporter)', minutes === null ? [] : `usually every ${inMinutes(minutes)}`]
        .flat()
        .join(', '),
    }),
  );
  return [...failed, ...lagging, ...silent]
    .map((item) => ({ ...item, isProduction: item.environment !== null && isInProduction(item.environment) }))
    .sort((one, other) => byKey(sortKey(one), sortKey(other)));
}

function failedIn({ rows }: Matrix): Found[] {
  return rows.flatMap(({ service, slots }) =>
    Object.entries(slots).flatMap(([environment, { current }]): Found[] => {
      if (current.status !== 'failure') return [];
      const { happened_at: since, deployment_id } = current;
      return [{ kind: 'failed', service, environment, since, detail: releaseName(current) || deployment_id }];
    }),
  );
}

function mostUrgentOf({ service, environment, stuck, slow, hidden }: BoardFacts['places'][number]): Found[] {
  const place = { service, environment };
  if (stuck) return [{ ...place, kind: 'stuck', since: stuck.since, detail: stuck.status }];
  if (slow) return [{ ...place, kind: 'slow', since: slow.since, detail: `usually ${inMinutes(slow.usual_minutes)}` }];
  if (!hidden) return [];
  const { event } = hidden;
  const detail = [event.status, releaseName(event)].filter(Boolean).join(' ');
  return [{ ...place, kind: 'hidden', since: event.happened_at, detail }];
}

function placeKey({ service, environment }: Pick<AttentionItem, 'service' | 'environment'>): string {
  return JSON.stringify([service, environment]);
}

/** The sort key of an item: kind, production first, then the name. */
export function sortKey({ kind, isProduction, service, environment, reporter }: AttentionItem): readonly string[] {
  return [`${kinds.indexOf(kind)}${isProduction ? 0 : 1}`, service ?? reporter ?? '', environment ?? ''];
}

/** Compares lists of texts of the same length. */
export function byKey(one: readonly string[], other: readonly string[]): number {
  return one.map((text, at) => byCodePoint(text, other[at] ?? '')).find((order) => order !== 0) ?? 0;
}
