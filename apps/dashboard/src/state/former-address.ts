import { literalGlob } from '@shiplog/text';
import { otherStages } from '../board/columns.ts';
import { everyEnvironment } from '../board/scope.ts';
import { longestMs } from '../range/range.ts';

type Parameters = Readonly<Record<string, string | undefined>>;

/** Parameters that are no longer read: the first two of any view, the others of former views. */
const former = ['quiet', 'grouped', 'since', 'until', 'then'];

/** The views of earlier versions, and the parameters that show the same now; `undefined` removes a parameter. */
const formerViews: ReadonlyMap<string, (query: URLSearchParams) => Parameters> = new Map([
  ['swimlanes', () => ({ view: 'board', layout: 'progress' })],
  ['feed', eventsAsChanges],
  ['compare', (query: URLSearchParams) => (query.has('then') ? thenAndNow(query) : { view: 'releases', tab: 'reach' })],
  ['quality', () => ({ view: 'analytics', tab: 'quality' })],
]);

/** The feed had all environments and, where it was filtered, no time limit. */
function eventsAsChanges(query: URLSearchParams): Parameters {
  const [since, until] = [query.get('since'), query.get('until')];
  const isOpen = since === null && until === null;
  return {
    view: 'changes',
    ...(!query.has('environment') && { environment: everyEnvironment }),
    ...(isOpen && (query.has('actor') || query.has('status')) && { range: '30d' }),
    ...rangeOf(since, until),
    asof: undefined,
  };
}

function thenAndNow(query: URLSearchParams): Parameters {
  const [target, asof] = [query.get('target'), query.get('asof')];
  return {
    view: 'changes',
    environment: target === null ? everyEnvironment : literalGlob(target),
    net: '1',
    ...rangeOf(query.get('then'), asof === 'now' ? null : asof),
    ...{ source: undefined, target: undefined, relation: undefined, asof: undefined },
  };
}

/** A range of at most the length that a range may have. */
function rangeOf(from: string | null, to: string | null): Parameters {
  const end = Date.parse(to ?? '');
  if (Number.isNaN(end)) return { from: from ?? undefined };
  const first = new Date(end - longestMs).toISOString();
  return { from: from === null || Date.parse(from) < Date.parse(first) ? first : from, to: to ?? undefined };
}

const dayMs = 86_400_000;

/** The range of analytics, which was a window of days or two days. */
function formerPeriod(query: URLSearchParams): Readonly<Record<string, string>> {
  const window = query.get('window');
  const [from, to] = (query.get('days') ?? '').split('..').map((day) => Date.parse(`${day}T00:00:00Z`));
  if (!from || !to) return window === null ? {} : { range: window };
  return { from: new Date(from).toISOString(), to: new Date(to + dayMs).toISOString() };
}

/** The query with today's parameters, so that links from earlier versions keep their meaning. */
export function currentQuery(query: URLSearchParams): URLSearchParams {
  const current = new URLSearchParams(query);
  const parameters = formerViews.get(query.get('view') ?? '')?.(query);
  if (query.get('quiet') === '1' && (query.get('view') ?? 'board') === 'board') current.set('layout', 'wall');
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value === undefined) current.delete(name);
    else current.set(name, value);
  }
  for (const name of parameters ? former : former.slice(0, 2)) current.delete(name);
  if (current.get('view') === 'analytics') {
    for (const [name, value] of Object.entries(formerPeriod(query))) current.set(name, value);
    for (const name of ['window', 'days', 'sofar', 'before']) current.delete(name);
  }
  // Rarely used environments had their own columns; the phone showed the services without the attention list.
  if (current.get('others') === '1') current.append('wide', otherStages);
  for (const name of ['others', 'services']) if (current.get(name) === '1') current.delete(name);
  return current;
}
