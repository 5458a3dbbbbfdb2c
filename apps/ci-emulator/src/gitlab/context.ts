import type { GitlabDeployment, Project } from '../domain/model.ts';
import { seenAt } from '../domain/model.ts';
import type { Store } from '../store.ts';
import { type Call, linkHeader, pageOf, Refusal } from '../surface/answer.ts';

export interface GitlabContext {
  readonly store: Store;
  readonly call: Call;
}

const perPageDefault = 20;
/** GitLab omits the totals of listings with more rows than this. */
const countedRowsMax = 10_000;

/** @throws Refusal 404, including for a project hidden from the token. */
export function projectOf({ store, call }: GitlabContext, id: string | undefined): Project {
  const requested = id?.toLowerCase();
  const found = seenAt(store.projects, call.seenAt).find(
    (one) => String(one.id) === requested || one.path.toLowerCase() === requested,
  );
  if (!found || found.forbidden) throw new Refusal(404, '404 Project Not Found');
  return found;
}

/** @throws Refusal 404 */
export function deploymentOf({ call }: GitlabContext, project: Project, id: string | undefined): GitlabDeployment {
  const found = seenAt(project.deployments.values(), call.seenAt).find((one) => String(one.id) === id);
  if (!found) throw new Refusal(404, '404 Not found');
  return found;
}

/** A page of a listing with GitLab's headers (CI emulator §4.2). */
export function listed<Row, Shown>(call: Call, rows: readonly Row[], show: (row: Row) => Shown) {
  if (call.parameters.get('pagination') === 'keyset') {
    throw new Refusal(405, '405 Method Not Allowed');
  }
  const { page, perPage, last, total, ...cut } = pageOf(rows, call.parameters, perPageDefault);
  const isCounted = total <= countedRowsMax;
  const pages = [
    ...(page > 1 ? [['prev', page - 1] as const] : []),
    ...(page < last ? [['next', page + 1] as const] : []),
    ['first', 1] as const,
    ...(isCounted ? [['last', last] as const] : []),
  ];
  const headers = {
    link: linkHeader(call, pages),
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-next-page': page < last ? String(page + 1) : '',
    'x-prev-page': page > 1 ? String(page - 1) : '',
    ...(isCounted && { 'x-total': String(total), 'x-total-pages': String(last) }),
  };
  return { value: cut.rows.map(show), headers };
}

/** Formats an instant (in ms) in the project's time zone, as GitLab does (CI emulator §4.6). */
export function instant(ms: number, utcOffset: string): string {
  if (utcOffset === 'Z') return new Date(ms).toISOString();
  const sign = utcOffset.startsWith('-') ? -1 : 1;
  const [hours = 0, minutes = 0] = utcOffset.slice(1).split(':').map(Number);
  const local = new Date(ms + sign * (hours * 60 + minutes) * 60_000);
  return `${local.toISOString().slice(0, -1)}${utcOffset}`;
}
