import { useMemo } from 'preact/hooks';
import { type Scope, type ScopeQuery, scopeOf } from '../board/scope.ts';
import { useStore } from '../state/store.ts';
import { useRounds } from '../ui/answer.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { type PeriodQuery, periodQuery } from './period.ts';

/** The parameters of a call of the analytics. */
export type FigureQuery = PeriodQuery & ScopeQuery;

/** What the page asks the service: which time, and which part of the log. */
export interface Question {
  readonly scope: Scope;
  readonly query: FigureQuery;
  /** The question for all environments, because promotion passes through each. */
  readonly ofAllEnvironments: FigureQuery;
}

/** The figures of days that are over change seldom, and a 304 costs little; those of today are so much behind at most. */
const againMs = 5 * 60_000;

/** What the page asks, kept until it changes or it is time to ask again; `undefined` while the board is unknown. */
export function useQuestion(): Question | { readonly fault: string } | undefined {
  const { connection } = useApp();
  const { filter, figures } = useAddress();
  const board = useStore(connection.board);
  const context = useBoardContext();
  const round = useRounds(againMs);
  const scope = useMemo(() => board && scopeOf(filter, board, context), [filter, board, context]);
  const key = JSON.stringify([scope, figures.window, figures.soFar, figures.days]);
  return useMemo(() => {
    if (!scope || 'fault' in scope) return scope;
    const period = periodQuery(figures, connection.now.value);
    const { environments, ...who } = scope.query;
    return { scope, query: { ...period, ...scope.query }, ofAllEnvironments: { ...period, ...who } };
  }, [key, round]);
}
