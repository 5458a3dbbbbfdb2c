import type { ComponentChildren } from 'preact';

interface ListTableProps {
  readonly head: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly class?: string;
}

/** Above a list that is cut: "Slowest, the first 5 of 10". */
export function firstOf(name: string, shown: number, all: number): string {
  return all > shown ? `${name}, the first ${shown} of ${all}` : name;
}

/** A table with named rows. A `list-table` is short; the button of its card shows the complete table. */
export function ListTable({ head, rows, class: look = 'list-table' }: ListTableProps) {
  return (
    <table class={`fine ${look}`}>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells], index) => (
          // Rows have no keys of their own, and are all drawn again with another report.
          <tr key={index}>
            <th scope="row">{name}</th>
            {cells.map((content, column) => (
              <td key={head[column + 1]}>{content}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
