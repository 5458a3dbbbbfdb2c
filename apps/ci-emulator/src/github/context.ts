import { githubHtmlUrl } from '@shiplog/companions';
import { type GithubDeployment, pathOf, type Repository, seenAt } from '../domain/model.ts';
import type { Store } from '../store.ts';
import { type Call, linkHeader, pageOf, Refusal } from '../surface/answer.ts';
import type { Blobs } from './blobs.ts';

export interface GithubContext {
  readonly store: Store;
  readonly call: Call;
  /** The API address in the request: the origin, with `/api/v3` if the request used it. */
  readonly apiUrl: string;
  readonly blobs: Blobs;
  /** The order of a list of statuses, which a fault can change. */
  readonly order: <Row>(rows: Row[]) => Row[];
  /** The next installation token. */
  readonly nextToken: () => string;
}

const perPageDefault = 30;

export interface RepositoryParams {
  readonly owner?: string;
  readonly repo?: string;
}

/** @throws Refusal 404; 403 if the repository is forbidden, 301 if it was renamed. */
export function repositoryOf({ store, call, apiUrl }: GithubContext, { owner, repo }: RepositoryParams): Repository {
  const path = `${owner}/${repo}`.toLowerCase();
  const found = seenAt(store.repositories, call.seenAt).find((repository) => pathOf(repository).toLowerCase() === path);
  if (!found) {
    const moved = store.formerPaths.get(path);
    if (moved?.tool !== 'github' || moved.removedAt !== undefined) throw new Refusal(404, 'Not Found');
    const remaining = call.path.split('/repos/')[1]?.split('/').slice(2).join('/') ?? '';
    const query = call.query === '' ? '' : `?${call.query}`;
    throw new Refusal(301, 'Moved Permanently', {
      location: `${apiUrl}/repositories/${moved.id}${remaining === '' ? '' : `/${remaining}`}${query}`,
    });
  }
  if (found.forbidden) throw new Refusal(403, 'Resource not accessible by personal access token');
  return found;
}

/** @throws Refusal 404 */
export function deploymentOf(
  context: GithubContext,
  repository: Repository,
  text: string | undefined,
): GithubDeployment {
  const deployment = repository.deployments.get(Number(text));
  const [seen] = seenAt(deployment ? [deployment] : [], context.call.seenAt);
  if (!seen || !/^\d+$/.test(text ?? '')) throw new Refusal(404, 'Not Found');
  return seen;
}

/** A page of a listing with its `Link` header. */
export function listed<Row, Shown>(call: Call, rows: readonly Row[], show: (row: Row) => Shown) {
  const { page, last, ...cut } = pageOf(rows, call.parameters, perPageDefault);
  const pages = [
    ...(page > 1 ? [['prev', Math.min(page - 1, last)] as const] : []),
    ...(page < last ? [['next', page + 1] as const, ['last', last] as const] : []),
    ...(page > 1 ? [['first', 1] as const] : []),
  ];
  const headers: Record<string, string> = pages.length > 0 ? { link: linkHeader(call, pages) } : {};
  return { value: cut.rows.map(show), headers, total: cut.total };
}

/** GitHub's instants have whole seconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

export function person(login: string) {
  const isBot = login.endsWith('[bot]');
  const apps = isBot ? `apps/${login.slice(0, -'[bot]'.length)}` : login;
  return {
    login,
    id: numberOf(login),
    type: isBot ? 'Bot' : 'User',
    html_url: `${githubHtmlUrl}/${apps}`,
    site_admin: false,
  };
}

/** A stable number for a name. Used as the id of people and environments, because seeds have no ids for them. */
export function numberOf(text: string): number {
  let hash = 7;
  for (const sign of text) hash = (Math.imul(hash, 31) + (sign.codePointAt(0) ?? 0)) >>> 0;
  return 1000 + (hash % 90_000_000);
}
