import type { ComponentChildren } from 'preact';
import type { Slot } from '../../board/board.ts';
import type { CsvValue } from '../../ui/csv.ts';
import { Link } from '../../ui/link.tsx';
import { Cut } from '../../ui/text.tsx';

/** A figure of the period: what it shows, and the same numbers as rows of a CSV file. */
export interface Chart<Report> {
  readonly title: string;
  readonly says: string;
  /** The text that replaces an empty chart; `undefined` if the chart is not empty. */
  none?(report: Report): string | undefined;
  csv(report: Report): CsvTable;
  draw(report: Report): ComponentChildren;
}

export interface CsvTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
}

interface SlotTableProps<Row> {
  /** The head of the first column: "Slowest". */
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  readonly cells: (row: Row) => readonly string[];
}

const rowsMax = 6;

/** The first rows of a list of slots; the CSV file has all. */
export function SlotTable<Row extends Slot>({ title, head, rows, cells }: SlotTableProps<Row>) {
  if (rows.length === 0) return null;
  const first = rows.length > rowsMax ? `${title}, the first ${rowsMax} of ${rows.length}` : title;
  return (
    <table class="fine slot-table">
      <thead>
        <tr>
          {[first, ...head].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, rowsMax).map((row, index) => (
          <tr key={index}>
            <th scope="row">
              <Link to={{ slot: { service: row.service, environment: row.environment } }}>
                <Cut text={row.service} /> <Cut text={`in ${row.environment}`} className="soft" />
              </Link>
            </th>
            {cells(row).map((text, column) => (
              <td key={head[column]}>{text}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
