import type { ComponentChildren } from 'preact';

interface ListTableProps {
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
  readonly class?: string;
}

/** "Slowest, the first 5 of 10". */
export function firstOf(name: string, shown: number, all: number): string {
  return all > shown ? `${name}, the first ${shown} of ${all}` : name;
}

/** A `list-table` is short; a button in its card shows the complete table. */
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
          // Rows have no keys: every report renders all rows again.
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
