import type { Client } from '@shiplog/client';
import { type AnalyticsName, type AnswerOf, type endpoints, limits } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { useId, useState } from 'preact/hooks';
import { useApp } from '../../ui/app.ts';
import { Fault } from '../../ui/empty.tsx';
import type { FigureQuery, Question } from '../question.ts';
import { useReport } from '../reports.ts';
import { deployersChart, durationsChart, funnelChart } from './bar-charts.tsx';
import type { Chart, CsvTable } from './chart.tsx';
import { heatmapChart } from './heatmap-chart.tsx';
import { stabilityChart } from './stability-chart.tsx';
import { timeChart } from './time-chart.tsx';

/** A chart with the call that requests its report. */
type ChartRow = {
  readonly [Name in AnalyticsName]: {
    readonly call: Name;
    readonly chart: Chart<AnswerOf<(typeof endpoints)[Name]>>;
    /** The call ignores the environment filter, because a promotion passes through every environment. */
    readonly isOfAllEnvironments?: true;
    /** The response is a list, of which the page requests the maximum length. */
    readonly isList?: true;
  };
}[AnalyticsName];

const rows: readonly ChartRow[] = [
  { call: 'getStages', chart: timeChart },
  { call: 'getStability', chart: stabilityChart },
  { call: 'getPromotionFunnel', chart: funnelChart, isOfAllEnvironments: true },
  { call: 'getDurationHistogram', chart: durationsChart },
  { call: 'getHeatmap', chart: heatmapChart },
  { call: 'getTopDeployers', chart: deployersChart, isList: true },
];

type Ask = (input: { query: FigureQuery; signal?: AbortSignal }) => Promise<{ readonly body: unknown }>;

function askOf(client: Client, { call, isList }: ChartRow): Ask {
  const ask = client[call] as Ask;
  const limit = isList && { limit: limits.analyticsLimitMax };
  return ({ query, ...input }) => ask({ ...input, query: { ...query, ...limit } });
}

/** The charts that few people need; their reports are requested when the fold is opened. */
export function MoreCharts({ question }: { readonly question: Question }) {
  const [isOpen, setIsOpen] = useState(false);
  const names = rows.map(({ chart: { title } }, index) => (index === 0 ? title : title.toLowerCase())).join(', ');
  return (
    <section aria-label="More charts">
      <button type="button" class="card row fine more-head" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Mark shape="chevron" />
        <b class="nowrap">More charts</b> <span class="soft">{names}</span>
      </button>
      {isOpen && (
        <div class="stack charts">
          {rows.map((row) => (
            <ChartCard key={row.call} row={row} question={question} />
          ))}
        </div>
      )}
    </section>
  );
}

function ChartCard({ row, question }: { readonly row: ChartRow; readonly question: Question }) {
  const { client } = useApp().connection;
  const chart = row.chart as Chart<unknown>;
  const { answer, isOld } = useReport<unknown>(askOf(client, row) as never, queryOf(row, question));
  const id = useId();
  const nothing = answer.kind === 'here' ? chart.none?.(answer.value) : undefined;
  return (
    <section class="card chart-card column gap-8" aria-labelledby={id} aria-busy={isOld}>
      <h2 id={id}>{chart.title}</h2>
      <p class="small">{chart.says}</p>
      {answer.kind === 'waiting' && <p class="soft">Loading …</p>}
      {answer.kind === 'failed' && <Fault what={answer.what} retry={answer.retry} />}
      {nothing !== undefined && <p class="soft">{nothing}</p>}
      {answer.kind === 'here' && nothing === undefined && chart.draw(answer.value)}
    </section>
  );
}

function queryOf({ isOfAllEnvironments }: ChartRow, { query, ofAllEnvironments }: Question): FigureQuery {
  return isOfAllEnvironments ? ofAllEnvironments : query;
}

/** The numbers of all charts, which are requested even if the fold is closed. */
export function chartTables(client: Client, question: Question): Promise<(CsvTable & { readonly title: string })[]> {
  return Promise.all(
    rows.map(async (row) => {
      const chart = row.chart as Chart<unknown>;
      const { body } = await askOf(client, row)({ query: queryOf(row, question) });
      return { title: chart.title, ...chart.csv(body) };
    }),
  );
}
