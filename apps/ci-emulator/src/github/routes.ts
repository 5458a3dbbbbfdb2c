import { hash } from 'node:crypto';
import { type Repository, seenAt } from '../domain/model.ts';
import { type Run, runOf } from '../domain/run.ts';
import { type Found, Refusal, type Route } from '../surface/answer.ts';
import { deploymentOf, type GithubContext, instant, listed, person, repositoryOf } from './context.ts';
import {
  deploymentShape,
  environmentShape,
  jobShape,
  type Reader,
  repositoryShape,
  runShape,
  statusesOf,
  statusShape,
} from './shapes.ts';

type Params = Readonly<Record<string, string>>;

const dayMs = 86_400_000;
/** How long artifacts are kept. */
const artifactDays = 90;
const tokenMs = 3_600_000;
const base64Line = 60;

/** GitHub's routes (CI emulator §3). */
export const githubRoutes: readonly Route<GithubContext>[] = [
  { method: 'GET', path: '/repos/{owner}/{repo}/deployments', answer: deployments },
  { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{id}', answer: deployment },
  { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{id}/statuses', answer: statuses },
  { method: 'GET', path: '/repos/{owner}/{repo}/deployments/{id}/reviews', answer: reviews },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}', answer: run },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/jobs', answer: jobs },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/approvals', answer: approvals },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/runs/{run}/artifacts', answer: artifacts },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/artifacts/{artifact}/zip', answer: artifactZip },
  { method: 'GET', path: '/repos/{owner}/{repo}/actions/workflows', answer: workflows },
  { method: 'GET', path: '/repos/{owner}/{repo}/contents/{path+}', answer: contents },
  { method: 'GET', path: '/repos/{owner}/{repo}/environments', answer: environments },
  { method: 'GET', path: '/orgs/{owner}/repos', answer: organisationRepositories },
  { method: 'GET', path: '/users/{owner}/repos', answer: ownersRepositories },
  { method: 'GET', path: '/user/repos', answer: ownRepositories },
  { method: 'GET', path: '/installation/repositories', answer: installationRepositories },
  { method: 'POST', path: '/app/installations/{id}/access_tokens', answer: accessToken },
];

function readerOf({ apiUrl, call }: GithubContext): Reader {
  return { apiUrl, seenAt: call.seenAt };
}

function deployments(context: GithubContext, params: Params): Found {
  const { call } = context;
  const repository = repositoryOf(context, params);
  const filters = (['environment', 'sha', 'ref', 'task'] as const).flatMap((name) => {
    const requested = call.parameters.get(name);
    return requested === null || requested === '' || requested === 'none' ? [] : [{ name, requested }];
  });
  const rows = seenAt(repository.deployments.values(), call.seenAt)
    .filter((row) => filters.every(({ name, requested }) => row[name] === requested))
    .sort((one, other) => other.id - one.id);
  return listed(call, rows, (row) => deploymentShape(repository, row, readerOf(context)));
}

function deployment(context: GithubContext, params: Params): Found {
  const repository = repositoryOf(context, params);
  return { value: deploymentShape(repository, deploymentOf(context, repository, params.id), readerOf(context)) };
}

function statuses(context: GithubContext, params: Params): Found {
  const repository = repositoryOf(context, params);
  const found = deploymentOf(context, repository, params.id);
  return listed(context.call, context.order(statusesOf(found, context.call.seenAt)), (status) =>
    statusShape(repository, found, status, context),
  );
}

function reviews(context: GithubContext, params: Params): Found {
  const repository = repositoryOf(context, params);
  const found = deploymentOf(context, repository, params.id);
  return listed(context.call, seenAt(found.reviews, context.call.seenAt), ({ state, user, at }) => ({
    state,
    user: person(user),
    submitted_at: instant(at),
  }));
}

/** @throws Refusal 404 */
function foundRun(context: GithubContext, params: Params): { readonly repository: Repository; readonly found: Run } {
  const repository = repositoryOf(context, params);
  const found = runOf(repository, Number(params.run), context.call.seenAt);
  if (!found) throw new Refusal(404, 'Not Found');
  return { repository, found };
}

function run(context: GithubContext, params: Params): Found {
  const { repository, found } = foundRun(context, params);
  return { value: runShape(repository, found) };
}

function jobs(context: GithubContext, params: Params): Found {
  const { repository, found } = foundRun(context, params);
  const isAll = context.call.parameters.get('filter') === 'all';
  const rows = found.jobs.filter(({ attempt }) => isAll || attempt === found.attempt);
  return counted(
    'jobs',
    listed(context.call, rows, (job) => jobShape(repository, found, job)),
  );
}

function approvals(context: GithubContext, params: Params): Found {
  const { repository, found } = foundRun(context, params);
  const rows = found.deployments.flatMap(({ reviews, environment }) =>
    seenAt(reviews, context.call.seenAt).map(({ state, comment, user }) => ({
      state,
      comment,
      user: person(user),
      environments: [environmentShape(repository, environment)],
    })),
  );
  return { value: rows };
}

function artifacts(context: GithubContext, params: Params): Found {
  const { found } = foundRun(context, params);
  const rows = found.deployments.flatMap(({ artifact, at }) => (artifact ? [{ artifact, at }] : []));
  const distinct = rows.filter(
    ({ artifact }, index) => rows.findIndex((row) => row.artifact.id === artifact.id) === index,
  );
  const show = ({ artifact, at }: (typeof rows)[number]) => ({
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: Buffer.byteLength(artifact.content),
    expired: isExpired(at, context.call.now),
    created_at: instant(at),
    expires_at: instant(at + artifactDays * dayMs),
  });
  return counted('artifacts', listed(context.call, distinct, show));
}

function isExpired(at: number, now: number): boolean {
  return now >= at + artifactDays * dayMs;
}

function artifactZip(context: GithubContext, params: Params): Found {
  const { call, blobs } = context;
  const found = seenAt(repositoryOf(context, params).deployments.values(), call.seenAt).find(
    ({ artifact }) => artifact?.id === Number(params.artifact),
  );
  if (!found?.artifact) throw new Refusal(404, 'Not Found');
  if (isExpired(found.at, call.now)) throw new Refusal(410, 'Artifact has expired');
  const token = blobs.handOut(found.artifact, call.now);
  return { value: '', status: 302, headers: { location: `${call.origin}/_ci/blobs/${token}` } };
}

function workflows(context: GithubContext, params: Params): Found {
  const repository = repositoryOf(context, params);
  const show = ({ id, name, path, state }: Repository['workflows'][number]) => ({ id, name, path, state });
  return counted('workflows', listed(context.call, repository.workflows, show));
}

/** Files are the same at every existing ref. */
function contents(context: GithubContext, params: Params): Found {
  const { call } = context;
  const repository = repositoryOf(context, params);
  const workflow = repository.workflows.find(({ path }) => path === params.path);
  if (!workflow) throw new Refusal(404, 'Not Found');
  const ref = call.parameters.get('ref');
  if (ref !== null && !refExists(repository, ref)) throw new Refusal(404, `No commit found for the ref ${ref}`);
  const bytes = Buffer.from(workflow.yaml);
  const lines = bytes.toString('base64').match(new RegExp(`.{1,${base64Line}}`, 'g')) ?? [];
  const value = {
    type: 'file',
    encoding: 'base64',
    size: bytes.length,
    name: workflow.path.split('/').at(-1),
    path: workflow.path,
    content: lines.map((line) => `${line}\n`).join(''),
    sha: hash('sha1', Buffer.concat([Buffer.from(`blob ${bytes.length}\0`), bytes])),
  };
  return { value };
}

function refExists({ deployments, deletedBranches }: Repository, ref: string): boolean {
  if (deletedBranches.includes(ref.replace(/^refs\/heads\//, ''))) return false;
  return ref === 'main' || [...deployments.values()].some((one) => one.sha.startsWith(ref) || one.ref === ref);
}

function environments(context: GithubContext, params: Params): Found {
  const repository = repositoryOf(context, params);
  return counted(
    'environments',
    listed(context.call, repository.environments, (name) => environmentShape(repository, name)),
  );
}

function repositories({ store, call }: GithubContext, owner?: string): Repository[] {
  const requested = owner?.toLowerCase();
  return seenAt(store.repositories, call.seenAt).filter(
    (one) => requested === undefined || one.owner.toLowerCase() === requested,
  );
}

/** Only organisations have this listing; users have a different one. */
function organisationRepositories(context: GithubContext, { owner }: Params): Found {
  const found = repositories(context, owner);
  if (!found.some(({ ownerType }) => ownerType === 'Organization')) throw new Refusal(404, 'Not Found');
  return listed(context.call, found, repositoryShape);
}

function ownersRepositories(context: GithubContext, { owner }: Params): Found {
  const found = repositories(context, owner);
  if (found.length === 0) throw new Refusal(404, 'Not Found');
  return listed(context.call, found, repositoryShape);
}

function ownRepositories(context: GithubContext): Found {
  return listed(context.call, repositories(context), repositoryShape);
}

function installationRepositories(context: GithubContext): Found {
  return counted('repositories', listed(context.call, repositories(context), repositoryShape));
}

function accessToken({ call, nextToken }: GithubContext): Found {
  const permissions = { actions: 'read', contents: 'read', deployments: 'read', metadata: 'read' };
  const value = {
    token: nextToken(),
    expires_at: instant(call.now + tokenMs),
    permissions,
    repository_selection: 'all',
  };
  return { status: 201, value };
}

/** A listing that GitHub wraps in an object with its length. */
function counted(name: string, { value, headers, total }: ReturnType<typeof listed>): Found {
  return { value: { total_count: total, [name]: value }, headers };
}
