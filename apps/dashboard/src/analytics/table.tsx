import type { ComponentChildren } from 'preact';

export interface TableContent {
  readonly head: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** The figures of a chart as a table, which scrolls in the room of the chart. */
export function Table({ title, head, rows }: TableContent & { readonly title: string }) {
  return (
    <section ref={reachable} class="scroller" aria-label={`Table: ${title}`}>
      <table>
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
              {cells.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** An element that scrolls has to be reachable by the keyboard. */
function reachable(element: HTMLElement | null): void {
  if (element) element.tabIndex = 0;
}
