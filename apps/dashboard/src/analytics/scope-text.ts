import type { DoraReport, FrequencyReport } from '@shiplog/contract';
import type { Scope } from '../board/scope.ts';
import { dayLabel, logBegin, type Period } from './period.ts';

/** "in production", "in dev, qa-*", "in any environment". */
export function placeText({ environments, isProduction }: Pick<Scope, 'environments' | 'isProduction'>): string {
  if (isProduction) return 'in production';
  return environments === undefined ? 'in any environment' : `in ${environments}`;
}

/** "production (prod), team shop". */
export function scopeText({ environments, isProduction, who }: Scope): string {
  const where = isProduction ? `production (${environments})` : (environments ?? 'all environments');
  return [where, who ?? 'all services'].join(', ');
}

export function hasNoPrevious({ deployment_frequency: { previous } }: DoraReport): boolean {
  return previous === null;
}

/** Why there is no previous value: the log begins later, the service doesn't keep it that long, or nothing happened. */
export function noPreviousText(dora: DoraReport | undefined, earlier: FrequencyReport | undefined): string {
  if (dora && !hasNoPrevious(dora)) return 'no value in the previous period';
  const begin = [dora, earlier].flatMap((report) => (report && logBegin(report.window)) ?? [])[0];
  const why = begin === undefined ? 'the log does not go back that far' : `log begins ${dayLabel(begin)}`;
  return `no previous period: ${why}`;
}

/** "shiplog-production-team-shop-2026-10-22-to-2026-11-20.csv". */
export function csvName(scope: Scope, { from, to }: Period): string {
  const where = scope.isProduction ? 'production' : (scope.environments ?? 'all environments');
  const lastDay = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  const name = [where, scope.who ?? '', from.slice(0, 10), 'to', lastDay].join(' ').toLowerCase();
  return `shiplog-${name.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '')}.csv`;
}

/** The number of services in the scope: "All 30" without a filter. */
export function servicesText(scope: Scope | { readonly fault: string } | undefined): string {
  if (scope === undefined) return '…';
  if ('fault' in scope) return 'none';
  return scope.who === undefined ? `All ${scope.services}` : `${scope.services}`;
}
