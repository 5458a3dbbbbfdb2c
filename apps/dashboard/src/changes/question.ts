import type { Status } from '@shiplog/contract';
import { globText } from '@shiplog/text';
import type { Board } from '../board/board.ts';
import type { BoardContext } from '../board/context.ts';
import type { Filter } from '../board/filter.ts';
import { everyEnvironment, productionNames, type ScopeQuery, scopeOf } from '../board/scope.ts';
import { type Range, spanOf } from '../range/range.ts';
import { rangeInSentence } from '../range/range-words.ts';
import type { Address } from '../state/address.ts';

export const defaultRange: Range = { name: '24h' };

/** What the view asks the service. */
export interface Question {
  readonly range: Range;
  readonly scope: ScopeQuery;
  readonly state: Status | undefined;
  /** Equal questions have equal keys. */
  readonly key: string;
  /** The environments in the scope; `undefined` = all. */
  readonly environments: readonly string[] | undefined;
  readonly isProduction: boolean;
  /** "prod", "production", "all environments". */
  readonly place: string;
  /** "team Shop"; `undefined` = everyone. */
  readonly who: string | undefined;
  /** The scope as a filter. */
  readonly filter: Filter;
}

type ChangesContext = Pick<BoardContext, 'stages' | 'ownership'>;

/** The question in an address. A filter without environments means production. */
export function questionOf(
  { filter, status, range = defaultRange }: Address,
  board: Board,
  context: ChangesContext,
): Question | { readonly fault: string } {
  const scope = scopeOf(filter, board, context);
  if ('fault' in scope) return scope;
  const state = status ?? (filter.only === 'behind' ? undefined : filter.only && onlyState[filter.only]);
  const production = productionNames(context.stages);
  const isAll = filter.environments.includes(everyEnvironment);
  const given = filter.environments.length === 0 ? production : filter.environments.map(globText);
  const isProduction = scope.isProduction && given.length === production.length;
  return {
    range,
    scope: scope.query,
    state,
    key: JSON.stringify([range, scope.query, state]),
    environments: isAll ? undefined : given,
    isProduction,
    place: isAll ? 'all environments' : isProduction && given.length > 1 ? 'production' : given.join(', '),
    who: scope.who,
    filter: scope.filter,
  };
}

const onlyState = { failed: 'failure', running: 'in-progress' } as const;

/** The query of a call for a question at a time. */
export function rangeQuery({ range, scope }: Pick<Question, 'range' | 'scope'>, nowMs: number) {
  const { fromMs, toMs } = spanOf(range, nowMs);
  return { ...scope, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** "In prod, 13:10–14:10", "In all environments, last 24 hours, team Shop". */
export function questionWords({ place, who, range }: Question, nowMs: number): string {
  return [`In ${place}`, rangeInSentence(range, nowMs), ...(who === undefined ? [] : [who])].join(', ');
}
