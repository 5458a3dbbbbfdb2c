import { longAgeOf, plain, pluralize, versionOf } from '@shiplog/text';
import { verbOf } from '../board/sentence.ts';
import { statusLabel } from '../ui/status.tsx';
import type { Chain } from './chain.ts';
import type { Deployment } from './deployment.ts';
import type { GraphNode, Reason } from './graph.ts';

export const reasonLabels: Readonly<Record<Reason, string>> = {
  looking: 'looking …',
  missing: 'not in the log',
  'left-out': 'not loaded',
  failed: 'could not be loaded',
};

/** For screen readers: "payments-api 1.4.2 in staging succeeded 2 hours ago, promoted from gha-7398 in dev". */
export function deploymentSentence(deployment: Deployment, parents: readonly GraphNode[], nowMs: number): string {
  const { service, environment, latest } = deployment;
  const when = longAgeOf(Date.parse(latest.happened_at), nowMs);
  const origins = parents.map((parent) => originLabel(parent, service));
  const from = origins.length > 0 ? `, promoted from ${origins.join(' and ')}` : '';
  return plain(`${service} ${versionOf(latest)} in ${environment} ${verbOf(latest.status)} ${when}${from}`);
}

function originLabel(parent: GraphNode, service: string): string {
  if (parent.kind === 'absent') return `${parent.id} (${reasonLabels[parent.reason]})`;
  return `${parent.id}${parent.service === service ? '' : ` of ${parent.service}`} in ${parent.environment}`;
}

/** The progress of a chain: "reached qa, failed in preprod". */
export function chainLabel(
  { deployments, newest }: Pick<Chain, 'deployments' | 'newest'>,
  columns: readonly string[],
): string {
  const reached = deployments
    .filter(({ latest, service }) => latest.status === 'success' && service === newest.service)
    .map(({ environment }) => environment)
    .sort((left, right) => columns.indexOf(right) - columns.indexOf(left))[0];
  const { latest, environment } = newest;
  const far = reached === undefined ? [] : [`reached ${plain(reached)}`];
  const isSaid = latest.status === 'success' && environment === reached;
  return [...far, ...(isSaid ? [] : [`${statusLabel(latest.status)} in ${plain(environment)}`])].join(', ');
}

/** "3 deployments, 1 parent not in the log". */
export function sizeLabel({ deployments, nodes }: Pick<Chain, 'deployments' | 'nodes'>): string {
  const missing = nodes.filter((node) => node.kind === 'absent' && node.reason === 'missing').length;
  return [
    pluralize(deployments.length, 'deployment'),
    ...(missing > 0 ? [`${pluralize(missing, 'parent')} not in the log`] : []),
  ].join(', ');
}
