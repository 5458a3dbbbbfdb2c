import { hash } from 'node:crypto';
import { type DeploymentEventIngest, limits } from '@shiplog/contract';
import type { Store } from '../store.ts';
import { githubEventsOf } from './github.ts';
import { gitlabEventsOf } from './gitlab.ts';
import type { ImpliedEvent } from './implied-event.ts';

/**
 * The log that the fetcher's default rules produce, derived independently of its code (CI emulator §5, §11;
 * fetcher §5, §9, §10). Like discovery, it leaves out forbidden, archived and removed repositories. Oldest first.
 */
export function exportedEvents({ repositories, projects }: Store): DeploymentEventIngest[] {
  const isFound = (place: { removedAt?: number; forbidden: boolean; archived: boolean }) =>
    place.removedAt === undefined && !place.forbidden && !place.archived;
  const implied = [
    ...repositories.filter(isFound).flatMap(githubEventsOf),
    ...projects.filter(isFound).flatMap(gitlabEventsOf),
  ];
  return implied
    .map((event, order) => ({ event, order }))
    .sort((one, other) => one.event.at - other.event.at || one.order - other.order)
    .map(({ event }) => ingestBody(event));
}

function ingestBody(event: ImpliedEvent): DeploymentEventIngest {
  const { version, actor, ref, sha, runUrl, runNumber, parents } = event;
  return {
    deployment_id: event.deploymentId,
    service: named(event.service, limits.service),
    environment: named(event.environment, limits.environment),
    status: event.status,
    happened_at: event.instant,
    ...(version !== '' && { version: cut(version, limits.version) }),
    ...(runUrl !== undefined && runUrl.length <= limits.runUrl && { run_url: runUrl }),
    ...(runNumber !== undefined && { run_number: runNumber }),
    ...(actor !== '' && { actor: cut(actor, limits.actor) }),
    ...(ref !== '' && { ref: cut(ref, limits.ref) }),
    ...(sha !== '' && { sha: cut(sha, limits.sha) }),
    ...(parents.length > 0 && { parent_deployments: [...parents].sort().slice(0, limits.parentDeployments) }),
  };
}

/** A name that is too long ends in part of its digest, so that names stay distinct (fetcher §5.6). */
function named(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  const mark = `~${hash('sha256', text).slice(0, 6)}`;
  return `${points.slice(0, max - mark.length).join('')}${mark}`;
}

function cut(text: string, max: number): string {
  return [...text].slice(0, max).join('');
}
