import { useMemo } from 'preact/hooks';
import { type Scope, type ScopeQuery, scopeOf } from '../board/scope.ts';
import { useStore } from '../state/store.ts';
import { useRounds } from '../ui/answer.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { defaultRange, type Period, periodOf } from './period.ts';

export type FigureQuery = Period & ScopeQuery;

/** The period and the part of the log that the page shows. */
export interface Question {
  readonly scope: Scope;
  readonly period: Period;
  readonly query: FigureQuery;
  /** The query without the environment filter, because a promotion passes through all environments. */
  readonly ofAllEnvironments: FigureQuery;
  /** Stays the same until the user asks something else, unlike the end of a period that ends now. */
  readonly key: string;
}

/** The maximum age of the figures. Past days rarely change, and a 304 is cheap. */
const againMs = 5 * 60_000;

/**
 * Returns the same object until the period or scope changes or the figures are too old; `undefined` before the first
 * board.
 */
export function useQuestion(): Question | { readonly fault: string } | undefined {
  const { connection } = useApp();
  const { filter, range = defaultRange } = useAddress();
  const board = useStore(connection.board);
  const context = useBoardContext();
  const round = useRounds(againMs);
  const isKnown = useStore(connection.areStagesKnown) || filter.environments.length > 0;
  const scope = useMemo(
    () => (board && isKnown ? scopeOf(filter, board, context) : undefined),
    [filter, board, context, isKnown],
  );
  const key = JSON.stringify([scope, range]);
  return useMemo(() => {
    if (!scope || 'fault' in scope) return scope;
    const period = periodOf(range, connection.now.value);
    const { environments, ...who } = scope.query;
    return { scope, period, query: { ...period, ...scope.query }, ofAllEnvironments: { ...period, ...who }, key };
  }, [key, round]);
}
