import { grouped } from '../board/grouped.ts';
import type { Deployment } from './deployment.ts';

/** Why a parent is absent. */
export type Reason =
  /** The request for the parent is running. */
  | 'looking'
  /** The log doesn't have the parent. */
  | 'missing'
  /** Not requested, because there are too many parents. */
  | 'left-out'
  /** The request failed. */
  | 'failed';

/** A parent that is known only by its `deployment_id`. */
export interface Absent {
  readonly kind: 'absent';
  readonly key: string;
  readonly id: string;
  readonly reason: Reason;
}

export type GraphNode = Deployment | Absent;

/** The keys of a parent and its child. */
export interface Edge {
  readonly from: string;
  readonly to: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly Edge[];
}

/**
 * The promotions between deployments. Every edge comes from `parent_deployments` (§2 of the specification, rule 5); no
 * edge is guessed.
 */
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
 * The parents of a child among all deployments with one id. In its own service, a child has the parent in the nearest
 * earlier environment, or else in the nearest other one. If this service has no parent, each other service has one (a
 * pipeline may release several). A deployment that names its own id was promoted from an earlier environment.
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
