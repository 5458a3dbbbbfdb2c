import { grouped } from '../board/grouped.ts';
import type { Deployment } from './deployment.ts';

/** Why a deployment that another names as its parent is not here. */
export type Reason =
  /** The log is being asked. */
  | 'looking'
  /** The log does not have it. */
  | 'missing'
  /** The limit of parents to ask for was reached. */
  | 'left-out'
  /** The log was asked and gave no answer. */
  | 'failed';

/** A parent that is known by its `deployment_id` alone. */
export interface Absent {
  readonly kind: 'absent';
  readonly key: string;
  readonly id: string;
  readonly reason: Reason;
}

export type GraphNode = Deployment | Absent;

/** From a parent to what was promoted from it; both by the node's key. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
}

/** The promotions among deployments, by `parent_deployments` alone (§2 of the specification, rule 5): no edge is guessed. */
export function graphOf(
  deployments: readonly Deployment[],
  columns: readonly string[],
  reasonOf: (id: string) => Reason,
): Graph {
  const byId = grouped(deployments, ({ id }) => id);
  const absent = new Map<string, Absent>();
  const edges: Edge[] = [];
  for (const child of deployments) {
    for (const id of child.parents) {
      const known = byId.get(id);
      if (!known) absent.set(id, absent.get(id) ?? { kind: 'absent', key: `absent ${id}`, id, reason: reasonOf(id) });
      const starts = known ? startsOf(child, known, columns).map(({ key }) => key) : [`absent ${id}`];
      edges.push(...starts.map((from) => ({ from, to: child.key })));
    }
  }
  return { nodes: [...deployments, ...absent.values()], edges };
}

/**
 * Where the edges to a child start, of all deployments with one id: in its own service the one in the nearest environment
 * before the child's, or else in the nearest of the others; only where its service has none, one of each other service
 * (one pipeline may release several). What names its own id was promoted from an earlier environment, never from itself.
 */
function startsOf(child: Deployment, known: readonly Deployment[], columns: readonly string[]): Deployment[] {
  const at = columns.indexOf(child.environment);
  const stepsTo = ({ environment }: Deployment) => {
    const steps = at - columns.indexOf(environment);
    return steps > 0 ? steps : columns.length - steps;
  };
  const others = known.filter(
    (other) => other.key !== child.key && (other.id !== child.id || stepsTo(other) < columns.length),
  );
  const own = others.filter(({ service }) => service === child.service);
  const byService = grouped(own.length > 0 ? own : others, ({ service }) => service);
  return [...byService.values()].flatMap((each) =>
    each.sort((left, right) => stepsTo(left) - stepsTo(right)).slice(0, 1),
  );
}
