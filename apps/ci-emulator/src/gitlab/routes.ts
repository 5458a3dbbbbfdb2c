import { parseInstant } from '@shiplog/contract';
import { type GitlabDeployment, type Project, seenAt } from '../domain/model.ts';
import { type Call, type Found, Refusal, type Route } from '../surface/answer.ts';
import { deploymentOf, type GitlabContext, listed, projectOf } from './context.ts';
import { pipelineJobs } from './graphql.ts';
import { approvalShape, deploymentShape, environmentShape, jobId, jobShape, projectShape, stateOf } from './shapes.ts';

type Params = Readonly<Record<string, string>>;

/** GitLab's routes (CI emulator §4). */
export const gitlabRoutes: readonly Route<GitlabContext>[] = [
  { method: 'GET', path: '/api/v4/projects', answer: projects },
  { method: 'GET', path: '/api/v4/projects/{id}', answer: project },
  { method: 'GET', path: '/api/v4/groups/{group}/projects', answer: groupProjects },
  { method: 'GET', path: '/api/v4/projects/{id}/deployments', answer: deployments },
  { method: 'GET', path: '/api/v4/projects/{id}/deployments/{deployment}', answer: deployment },
  { method: 'GET', path: '/api/v4/projects/{id}/jobs/{job}', answer: job },
  { method: 'GET', path: '/api/v4/projects/{id}/environments', answer: environments },
  { method: 'POST', path: '/api/graphql', answer: pipelineJobs },
];

function visible({ store, call }: GitlabContext): Project[] {
  return seenAt(store.projects, call.seenAt).filter(({ forbidden }) => !forbidden);
}

function requested({ call }: GitlabContext, projects: readonly Project[]): Project[] {
  const archived = call.parameters.get('archived');
  return projects.filter((one) => archived === null || String(one.archived) === archived);
}

function projects(context: GitlabContext): Found {
  return listed(context.call, requested(context, visible(context)), projectShape);
}

function project(context: GitlabContext, { id }: Params): Found {
  return { value: projectShape(projectOf(context, id)) };
}

/** The group's projects and, with `include_subgroups`, those of its subgroups. */
function groupProjects(context: GitlabContext, { group }: Params): Found {
  const prefix = `${group?.toLowerCase()}/`;
  const inGroup = visible(context).filter(({ path }) => path.toLowerCase().startsWith(prefix));
  if (inGroup.length === 0) throw new Refusal(404, '404 Group Not Found');
  const isDeep = context.call.parameters.get('include_subgroups') === 'true';
  const rows = inGroup.filter(({ path }) => isDeep || !path.slice(prefix.length).includes('/'));
  return listed(context.call, requested(context, rows), projectShape);
}

type Order = (row: GitlabDeployment, seen: number) => number | string;
const orders: Readonly<Record<string, Order>> = {
  id: ({ id }) => id,
  iid: ({ iid }) => iid,
  created_at: ({ at }) => at,
  updated_at: (row, seen) => stateOf(row, seen).updatedAt,
  finished_at: (row, seen) => stateOf(row, seen).finishedAt ?? Number.POSITIVE_INFINITY,
  ref: ({ ref }) => ref,
};

function deployments(context: GitlabContext, { id }: Params): Found {
  const { call } = context;
  const found = projectOf(context, id);
  const name = call.parameters.get('order_by') ?? 'id';
  const order = orders[name];
  if (!order) throw new Refusal(400, 'order_by does not have a valid value');
  const updated = { after: instantParameter(call, 'updated_after'), before: instantParameter(call, 'updated_before') };
  if ((updated.after !== undefined || updated.before !== undefined) && name !== 'updated_at') {
    throw new Refusal(400, '400 Bad request - `updated_at` filter requires `updated_at` sort');
  }
  const requested = { environment: call.parameters.get('environment'), status: call.parameters.get('status') };
  const rows = seenAt(found.deployments.values(), call.seenAt).filter((row) => {
    const { status, updatedAt } = stateOf(row, call.seenAt);
    return (
      (requested.environment === null || row.environment === requested.environment) &&
      (requested.status === null || status === requested.status) &&
      (updated.after === undefined || updatedAt >= updated.after) &&
      (updated.before === undefined || updatedAt <= updated.before)
    );
  });
  const sorted = sortedBy(rows, (row) => order(row, call.seenAt));
  if (call.parameters.get('sort') === 'desc') sorted.reverse();
  return listed(call, sorted, (row) => deploymentShape(found, row, call.seenAt));
}

/** Ties are ordered by id, so that pages neither repeat nor lose a row. */
function sortedBy(
  rows: readonly GitlabDeployment[],
  keyOf: (row: GitlabDeployment) => number | string,
): GitlabDeployment[] {
  const keyed = rows.map((row) => ({ row, key: keyOf(row) }));
  const compare = (one: number | string, other: number | string) => (one < other ? -1 : one > other ? 1 : 0);
  return keyed.sort((one, other) => compare(one.key, other.key) || one.row.id - other.row.id).map(({ row }) => row);
}

/** @throws Refusal 400 */
function instantParameter({ parameters }: Call, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  // An unescaped plus arrives as a space; GitLab accepts it.
  const instant = parseInstant(text.replace(' ', '+'));
  if (instant === undefined) throw new Refusal(400, `${name} is invalid`);
  return Date.parse(instant);
}

function deployment(context: GitlabContext, params: Params): Found {
  const { seenAt: seen } = context.call;
  const found = projectOf(context, params.id);
  const row = deploymentOf(context, found, params.deployment);
  const approvals = seenAt(row.approvals, seen).map((approval) => approvalShape(found, approval));
  const pending = stateOf(row, seen).status === 'blocked' ? 1 : 0;
  return { value: { ...deploymentShape(found, row, seen), approvals, pending_approval_count: pending } };
}

function job(context: GitlabContext, params: Params): Found {
  const { seenAt: seen } = context.call;
  const found = projectOf(context, params.id);
  const row = seenAt(found.deployments.values(), seen).find(
    (one) => one.job && String(jobId(found, one)) === params.job,
  );
  if (!row) throw new Refusal(404, '404 Not found');
  const state = stateOf(row, seen);
  const failure = state.failureReason === undefined ? {} : { failure_reason: state.failureReason };
  return { value: { ...jobShape(found, row, state), allow_failure: false, ...failure } };
}

function environments(context: GitlabContext, { id }: Params): Found {
  const found = projectOf(context, id);
  return listed(context.call, found.environments, (name) => environmentShape(found, name, true));
}
