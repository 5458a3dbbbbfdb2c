import type { AnalyticsWindow } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import type { Scope } from '../board/scope.ts';
import type { FiguresState } from '../state/address/figures.ts';
import { periodBefore, periodName, periodWords } from './period.ts';

/** "in prod", "in any environment". */
export function inEnvironments({ environments }: Pick<Scope, 'environments'>): string {
  return environments === undefined ? 'in any environment' : `in ${environments}`;
}

/** "prod, team shop, 30 days, today so far". */
export function scopeName({ environments, who }: Scope, figures: FiguresState): string {
  return [environments ?? 'all environments', who ?? 'all services', periodName(figures)].join(', ');
}

/** The number of services in the scope: "all 30" without a filter. */
export function servicesWord(question: { readonly scope: Scope } | { readonly fault: string } | undefined): string {
  if (question === undefined) return '…';
  if ('fault' in question) return 'none';
  const { who, services } = question.scope;
  return who === undefined ? `all ${services}` : `${services}`;
}

/** The scope as a sentence in two parts; the first says how many deployments ended, and in which environments. */
export function scopeSentence(scope: Scope, ended: number, window: AnalyticsWindow, nowMs: number) {
  const { who, services, isByDefault } = scope;
  const of =
    who === undefined
      ? `of the ${pluralize(services, 'service')} there`
      : `of ${who} (${pluralize(services, 'service')} there)`;
  return {
    ended: `${pluralize(ended, 'deployment')} that ended ${inEnvironments(scope)}`,
    rest: `, ${periodWords(window, nowMs)}, ${of}.${isByDefault ? ' Production is the default.' : ''}`,
  };
}

export function beforeSentence(window: AnalyticsWindow, nowMs: number, isYoung: boolean): string {
  if (isYoung) return 'Previous period unknown: the log begins later.';
  const before = periodBefore(window, nowMs);
  if (!before) return 'Previous period unknown: the log does not go back that far.';
  return `Before: ${periodWords(before, nowMs)}.`;
}

/** "Nothing ended in prod in these 30 days". */
export function nothingEnded(scope: Scope, { window, days }: FiguresState): string {
  const when = days
    ? `from ${periodName({ window, days, soFar: false })}`
    : `in these ${Number.parseInt(window, 10)} days`;
  return `Nothing ended ${inEnvironments(scope)} ${when}`;
}
