import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Answer } from '../ui/answer.ts';
import { Fault } from '../ui/empty.tsx';
import { CsvButton, Table, type TableContent } from './table.tsx';

interface ChartCardProps<Report> {
  readonly title: string;
  /** Scope, in a sentence. */
  readonly says: string;
  readonly answer: Answer<Report>;
  /** The text instead of an empty chart; `undefined` if the chart is not empty. */
  readonly none: (report: Report) => string | undefined;
  readonly table: (report: Report) => TableContent;
  readonly children: (report: Report) => ComponentChildren;
  /** How much room it takes: a whole line, or half of one and more height. */
  readonly room?: 'wide' | 'half';
}

/** A figure of the period: a chart, and a table of the same numbers. */
export function ChartCard<Report>(props: ChartCardProps<Report>) {
  const { title, says, answer, room = '' } = props;
  const [isTable, setIsTable] = useState(false);
  const id = useId();
  return (
    <section class={`card chart ${room}`} aria-labelledby={id}>
      <div class="row chart-head">
        <h2 id={id}>{title}</h2>
        {answer.kind === 'here' && <CsvButton title={title} {...props.table(answer.value)} />}
        <button type="button" class="toggle" aria-pressed={isTable} onClick={() => setIsTable(!isTable)}>
          Table<span class="unseen"> of {title}</span>
        </button>
      </div>
      <p class="says small">{says}</p>
      <div class="chart-body">{bodyOf(props, isTable)}</div>
    </section>
  );
}

function bodyOf<Report>(
  { title, answer, none, table, children }: ChartCardProps<Report>,
  isTable: boolean,
): ComponentChildren {
  if (answer.kind === 'waiting') return <p class="still small">Loading …</p>;
  if (answer.kind === 'failed') return <Fault what={answer.what} retry={answer.retry} />;
  if (isTable) return <Table title={title} {...table(answer.value)} />;
  const nothing = none(answer.value);
  return nothing === undefined ? children(answer.value) : <p class="still small">{nothing}</p>;
}
