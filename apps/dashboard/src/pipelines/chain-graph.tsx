import { pluralize } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { grouped } from '../board/grouped.ts';
import { Cut } from '../ui/text.tsx';
import { newestOf } from './chain.ts';
import type { ColumnPosition } from './column-position.ts';
import { alone, drawingOf, type Line, leftOf, under } from './drawing.ts';
import type { Graph } from './graph.ts';
import { type PositionedNode, positioned } from './graph-layout.ts';
import { Node } from './node.tsx';
import { type Outcome, outcomeOf } from './outcome.ts';

/** Limits the size of a graph: a chain can grow for years if each deployment names the previous one as its parent. */
const deploymentsMax = 120;

interface ChainGraphProps {
  readonly graph: Graph;
  readonly service: string;
  /** Environments, left to right. */
  readonly columns: readonly string[];
  /** The position of the columns on the page; `undefined` = the graph has its own column heads. */
  readonly place: ColumnPosition | undefined;
}

/** Environments as columns, left to right. Screen readers get a list of environments with their deployments. */
export function ChainGraph({ graph, service, columns, place }: ChainGraphProps) {
  const { nodes, edges, left, layout, across, drawing, heads } = useMemo(
    () => drawn(graph, columns, place),
    [graph, columns, place],
  );
  const byKey = new Map(nodes.map((node) => [node.key, node]));
  const parentsOf = grouped(edges, ({ to }) => to);
  const byColumn = grouped(layout.nodes, ({ column }) => String(column));
  const outcomeAt = (key: string): Outcome => {
    const node = byKey.get(key);
    return node?.kind === 'deployment' ? outcomeOf(node.latest.status) : 'run';
  };
  const parents = ({ node }: PositionedNode) =>
    (parentsOf.get(node.key) ?? []).flatMap(({ from }) => byKey.get(from) ?? []);
  return (
    <>
      <div class="graph-scroll">
        <div class="chain-graph" style={{ width: `${drawing.width}px`, height: `${drawing.height}px` }}>
          <svg class="graph-edges" width={drawing.width} height={drawing.height} aria-hidden="true">
            {drawing.lines.map((line, index) => (
              <EdgeLine
                key={`${edges[index]?.from} ${edges[index]?.to}`}
                line={line}
                outcome={outcomeAt(edges[index]?.to ?? '')}
              />
            ))}
          </svg>
          <ol>
            {heads.map((head, column) => (
              <li key={head ?? ''}>
                <span
                  class={place && head !== undefined ? 'graph-head soft strong unseen' : 'graph-head soft strong'}
                  style={{ left: `${leftOf(column, across)}px`, width: `${across.width}px` }}
                >
                  {head === undefined ? 'before' : <Cut text={head} />}
                </span>
                <ul>
                  {(byColumn.get(String(column)) ?? [])
                    .sort((one, other) => one.row - other.row)
                    .map((each) => (
                      <Node
                        key={each.node.key}
                        positioned={each}
                        across={across}
                        parents={parents(each)}
                        service={service}
                      />
                    ))}
                </ul>
              </li>
            ))}
          </ol>
        </div>
      </div>
      {left > 0 && <p class="small">{pluralize(left, 'older deployment')} of this chain not shown.</p>}
    </>
  );
}

function drawn(graph: Graph, columns: readonly string[], place: ColumnPosition | undefined) {
  const { nodes, edges, left } = newestOf(graph, deploymentsMax);
  const layout = positioned({ nodes, edges }, columns);
  const heads = layout.hasLead ? [undefined, ...columns] : columns;
  const across = place ? under(place, layout.hasLead) : alone;
  return { nodes, edges, left, layout, across, heads, drawing: drawingOf(layout, heads.length, across) };
}

/** A line to a deployment. The outcome determines whether it is solid, dashed or dotted; a failure has a cross. */
export function EdgeLine({ line, outcome }: { readonly line: Omit<Line, 'right'>; readonly outcome: Outcome }) {
  const { tip, middle } = line;
  const back = tip.turn === 'right' ? -6 : 6;
  return (
    <g class={`graph-edge ${outcome}`}>
      <path class="edge-path" d={line.path} />
      <path class="edge-tip" d={`M${tip.x + back} ${tip.y - 4}L${tip.x} ${tip.y}L${tip.x + back} ${tip.y + 4}`} />
      {outcome === 'bad' && <path class="edge-tip" d={`M${middle.x - 4} ${middle.y - 4}l8 8m0 -8l-8 8`} />}
    </g>
  );
}
