import { headerNames, limits } from '@shiplog/contract';
import { decoded, Problem } from '@shiplog/server';
import type { Queries } from '../db/database.ts';
import { logMark } from '../db/log-mark.ts';
import type { LogReads } from '../db/log-reads.ts';
import { listReleases, readRelease, type StoredRelease, type StoredReleaseDetail } from '../db/releases.ts';
import { pageCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';
import type { ClientReads } from './client-reads.ts';
import { pageKey } from './reads.ts';
import { SlowAnswers } from './slow-answers.ts';

export interface ReleasesParts {
  readonly queries: Queries;
  readonly reads: LogReads;
  readonly clients: ClientReads;
}

/** `GET /api/releases`, and one of them (questions.md 9 and 12.9). */
export function addReleases(api: CoreApi, { queries, reads, clients }: ReleasesParts): void {
  const pages = new SlowAnswers('releases', clients);
  api.serve('listReleases', ({ query, headers, request }) => {
    const { service, q, cursor, limit = limits.pageSizeDefault } = query;
    const after = pageKey(cursor);
    return pages.answer({
      request,
      isCold: false,
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: JSON.stringify([service, q, cursor, limit]),
      state: () => logMark(queries),
      compute: async () => {
        const { tick, result } = await reads.quick((log) => listReleases(log, { service, q }, { after, size: limit }));
        const { releases, next } = result;
        const items = releases.map((release) => `{${members(release)}}`);
        const json = `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(next ? pageCursor(next) : null)}}`;
        return { tick, content: [json], json };
      },
    });
  });

  const releases = new SlowAnswers('release', clients);
  api.serve('getRelease', ({ params: { service, version }, headers, request }) => {
    if (!isName(request.originalUrl, service, version)) throw unknown();
    return releases.answer({
      request,
      isCold: false,
      ifNoneMatch: headers[headerNames.ifNoneMatch],
      key: JSON.stringify([service, version]),
      state: () => logMark(queries),
      compute: async () => {
        const { tick, result: release } = await reads.quick((log) => readRelease(log, service, releasesNamed(version)));
        if (!release) throw unknown();
        const json = detail(release);
        return { tick, content: [json], json };
      },
    });
  });
}

/** A name contains neither broken percent-encoding nor NUL (reading 1.6). */
function isName(url: string, ...names: readonly string[]): boolean {
  return decoded(url.replace(/\?.*$/s, '')) !== undefined && names.every((name) => !name.includes('\0'));
}

function unknown(): Problem {
  return new Problem('not-found', { detail: 'No event of this release is stored.' });
}

/** The members of a release without the braces; events are inserted as stored. */
function members({ service, release, placesJson, runsInJson, firstAt, lastAt, ...newest }: StoredRelease): string {
  const version = versionOf(release);
  const { sha, ref, actor } = newest;
  const plain = JSON.stringify({ service, version, sha, ref, actor, first_at: firstAt, last_at: lastAt });
  return `${plain.slice(1, -1)},"runs_in":${runsInJson},"places":${placesJson}`;
}

function detail(release: StoredReleaseDetail): string {
  return `{${members(release)},"events":${release.eventsJson},"replaced":${release.replacedJson}}`;
}

/** The version in a stored release, which is `v` and the version or `s` and the sha (questions.md 12.1). */
export function versionOf(release: string): string | null {
  return release.startsWith('v') ? release.slice(1) : null;
}

/** The stored releases that a name may mean; if the log has both, the version wins (questions.md 12.9). */
export function releasesNamed(name: string): readonly [version: string, sha: string] {
  return [`v${name}`, `s${name}`];
}
