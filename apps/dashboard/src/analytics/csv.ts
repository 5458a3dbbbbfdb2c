import { type DoraReport, type FrequencyReport, type OutagesReport, outageFigures } from '@shiplog/contract';
import { type CsvValue, csvOf } from '../ui/csv.ts';
import type { CsvTable } from './charts/chart.tsx';
import { classText, endedIn, keyNames, keyTexts, outageTexts, shownKey, tooFewText } from './figures.ts';
import { datesFrom, logBegin } from './period.ts';
import type { Question } from './question.ts';
import { scopeText } from './scope-text.ts';
import type { TeamRow } from './teams-table.tsx';

interface Figures {
  readonly question: Question;
  readonly dora: DoraReport;
  readonly frequency: FrequencyReport;
  readonly earlier: FrequencyReport | undefined;
  readonly outages: OutagesReport | undefined;
  readonly teams: readonly TeamRow[];
  readonly charts: readonly (CsvTable & { readonly title: string })[];
}

/** All numbers of the page: tables one below the other, each with its title and separated by an empty line. */
export function figuresCsv({ question, dora, frequency, earlier, outages, teams, charts }: Figures): string {
  const { window } = dora;
  const begin = logBegin(window);
  const isCompared = dora.deployment_frequency.previous !== undefined || earlier !== undefined;
  /** The last cell of a row, if the previous period was requested. */
  const last = (cell: CsvValue): CsvValue[] => (isCompared ? [cell] : []);
  const before = isCompared ? ['Previous period'] : [];
  const parts = [
    csvOf(
      ['Scope', scopeText(question.scope)],
      [
        ['From', window.from],
        ['To', window.to],
        ...(earlier
          ? [['Previous from', earlier.window.from] as const, ['Previous to', earlier.window.to] as const]
          : []),
        ...(begin === undefined ? [] : [['Log begins', begin]]),
      ],
    ),
    titled('Four keys', {
      head: ['Key', 'Unit', 'Value', 'Class', ...before],
      rows: keyNames.map((name) => {
        const key = shownKey(dora[name]);
        const level = question.scope.isProduction && !tooFewText(endedIn(dora)) ? classText(key) : undefined;
        return [keyTexts[name].title, key.unit, key.value, level ?? null, ...last(key.previous ?? null)];
      }),
    }),
    ...(outages ? [titled('Outages', outageTable(outages, isCompared))] : []),
    titled('Deployments per day', {
      head: ['Day (UTC)', 'Succeeded', 'Failed', ...(isCompared ? ['Previously succeeded', 'Previously failed'] : [])],
      rows: daysOf(frequency, earlier, isCompared),
    }),
    ...(teams.length > 0 ? [titled('Teams', teamTable(teams))] : []),
    ...charts.map(({ title, ...table }) => titled(title, table)),
  ];
  return parts.join('\r\n');
}

function outageTable(report: OutagesReport, isCompared: boolean): CsvTable {
  return {
    head: ['Figure', 'Unit', 'Value', ...(isCompared ? ['Previous period'] : [])],
    rows: outageFigures.map((figure) => {
      const { unit, value, previous } = report[figure];
      return [outageTexts[figure].title, unit, value, ...(isCompared ? [previous ?? null] : [])];
    }),
  };
}

function titled(title: string, { head, rows }: CsvTable): string {
  return `${csvOf([title], [])}${csvOf(head, rows)}`;
}

/** Days before the log begins have no numbers. */
function daysOf(
  { window, buckets }: FrequencyReport,
  earlier: FrequencyReport | undefined,
  isCompared: boolean,
): CsvValue[][] {
  const firstDay = (logBegin(window) ?? window.from).slice(0, 10);
  const before = earlier?.buckets.map(({ success, failure }) => [success, failure]) ?? [];
  const days: CsvValue[][] = buckets.map(({ date, success, failure }, index) => {
    const counts = date < firstDay ? [null, null] : [success, failure];
    return [date, ...counts, ...(isCompared ? (before[index] ?? [null, null]) : [])];
  });
  // The previous month may be longer.
  return [...days, ...before.slice(days.length).map((counts) => [null, null, null, ...counts])];
}

function teamTable(teams: readonly TeamRow[]): CsvTable {
  const dates = teams.flatMap(({ report }) => (report ? [datesFrom(report.window, report.window.days)] : []))[0] ?? [];
  return {
    head: ['Team', 'Services', 'Deployments', ...keyNames.map((name) => keyTexts[name].title), ...dates],
    rows: teams.map(({ name, services, report }) => [
      name,
      services,
      ...(report
        ? [
            endedIn(report),
            ...keyNames.map((key) => shownKey(report[key]).value),
            ...report.deployment_frequency.sparkline,
          ]
        : []),
    ]),
  };
}
