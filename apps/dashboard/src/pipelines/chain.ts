import { newestFirst } from '../board/board.ts';
import { grouped } from '../board/grouped.ts';
import type { Deployment } from './deployment.ts';
import type { Edge, Graph, GraphNode } from './graph.ts';

/** Deployments connected by promotion or by their `deployment_id`. */
export interface Chain extends Graph {
  /** The key stays the same when newer deployments join the chain. */
  readonly key: string;
  /** Newest first. */
  readonly deployments: readonly Deployment[];
  readonly newest: Deployment;
}

/** The connected parts of a graph, newest first. Cycles are allowed. */
export function chainsOf({ nodes, edges }: Graph): Chain[] {
  const parts = new Parts();
  for (const node of nodes) parts.join(node.key, node.kind === 'deployment' ? groupOf(node) : node.key);
  for (const { from, to } of edges) parts.join(from, to);
  const edgesBy = grouped(edges, ({ to }) => parts.rootOf(to));
  return [...grouped(nodes, ({ key }) => parts.rootOf(key))]
    .flatMap(([root, members]) => chainOf(members, edgesBy.get(root) ?? []))
    .sort((left, right) => newestFirst(left.newest.latest, right.newest.latest));
}

/** A key that connects deployments in several environments with one `deployment_id`, which no edges connect. */
function groupOf({ service, id }: Deployment): string {
  return JSON.stringify([service, id]);
}

function chainOf(nodes: readonly GraphNode[], edges: readonly Edge[]): Chain[] {
  const deployments = deploymentsIn(nodes).sort((left, right) => newestFirst(left.latest, right.latest));
  const newest = deployments[0];
  // The oldest row stays the same when newer rows arrive.
  const first = deployments.flatMap(({ rows }) => rows.map(({ id }) => id)).sort()[0];
  return newest && first ? [{ key: first, nodes, edges, deployments, newest }] : [];
}

function deploymentsIn(nodes: readonly GraphNode[]): Deployment[] {
  return nodes.filter((node) => node.kind === 'deployment');
}

/** The newest deployments of a graph with their absent parents; `left` is the number of omitted deployments. */
export function newestOf(graph: Graph, max: number): Graph & { readonly left: number } {
  const all = deploymentsIn(graph.nodes).sort((left, right) => newestFirst(left.latest, right.latest));
  if (all.length <= max) return { ...graph, left: 0 };
  const kept = new Set(all.slice(0, max).map(({ key }) => key));
  const named = new Set(graph.edges.filter(({ to }) => kept.has(to)).map(({ from }) => from));
  const nodes = graph.nodes.filter(({ key, kind }) => kept.has(key) || (kind === 'absent' && named.has(key)));
  const keys = new Set(nodes.map(({ key }) => key));
  const edges = graph.edges.filter(({ from, to }) => keys.has(from) && keys.has(to));
  return { nodes, edges, left: all.length - max };
}

/** A union-find structure: joined keys have the same root. */
class Parts {
  readonly #above = new Map<string, string>();

  /** Halves the path to the root at each call, because a long chain otherwise takes quadratic time. */
  rootOf(key: string): string {
    let at = key;
    for (let above = this.#above.get(at); above !== undefined; above = this.#above.get(at)) {
      const next = this.#above.get(above);
      if (next !== undefined) this.#above.set(at, next);
      at = next ?? above;
    }
    return at;
  }

  join(one: string, other: string): void {
    const [left, right] = [this.rootOf(one), this.rootOf(other)];
    if (left !== right) this.#above.set(left, right);
  }
}
