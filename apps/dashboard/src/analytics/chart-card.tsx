import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';
import { CsvButton, Table, type TableContent } from './table.tsx';

/** Data that a chart shows in addition to its report. */
export interface ChartContext {
  /** The number of deployments that ended on each day of the previous period; `undefined` if it isn't known. */
  readonly before: readonly number[] | undefined;
  readonly production: string;
}

/** A figure of the period: a chart, and a table of the same numbers. */
export interface Chart<Report> {
  readonly title: string;
  readonly says: string;
  /** The text that replaces an empty chart; `undefined` if the chart is not empty. */
  none?(report: Report): string | undefined;
  table(report: Report, context: ChartContext): TableContent;
  draw(report: Report, context: ChartContext): ComponentChildren;
  /** `wide` fills a row of the page; `half` fills half a row and is taller. */
  readonly room?: 'wide' | 'half';
}

interface ChartCardProps<Report> {
  readonly chart: Chart<Report>;
  readonly answer: Answer<Report>;
  readonly context: ChartContext;
}

export function ChartCard<Report>(props: ChartCardProps<Report>) {
  const { chart, answer, context } = props;
  const { title, says, room = '' } = chart;
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <section class={`card column gap-8 chart ${room}`} aria-labelledby={id}>
      <div class="row chart-head">
        <h2 id={id} class="space">
          {title}
        </h2>
        {answer.kind === 'here' && <CsvButton title={title} {...chart.table(answer.value, context)} />}
        <TableToggle title={title} isTable={isTable} toggle={() => setIsTable(!isTable)} />
      </div>
      <p class="says small">{says}</p>
      <div class="column gap-8 chart-body">{bodyOf(props, isTable)}</div>
    </section>
  );
}

interface ToggleProps {
  readonly title: string;
  readonly isTable: boolean;
  readonly toggle: () => void;
}

export function TableToggle({ title, isTable, toggle }: ToggleProps) {
  return (
    <button type="button" class="toggle firm soft" aria-pressed={isTable} onClick={toggle}>
      Table<span class="unseen"> of {title}</span>
    </button>
  );
}

function bodyOf<Report>({ chart, answer, context }: ChartCardProps<Report>, isTable: boolean): ComponentChildren {
  if (answer.kind === 'waiting') return <p class="still small">Loading …</p>;
  if (answer.kind === 'failed') return <Fault what={answer.what} retry={answer.retry} />;
  if (isTable) return <Table title={chart.title} {...chart.table(answer.value, context)} />;
  const nothing = chart.none?.(answer.value);
  return nothing === undefined ? chart.draw(answer.value, context) : <p class="still small">{nothing}</p>;
}
