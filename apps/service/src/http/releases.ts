import { limits } from '@shiplog/contract';
import { decoded, Problem, parsedCursor } from '@shiplog/server';
import { listReleases, readRelease, type StoredRelease } from '../db/releases.ts';
import { pageCursor, parsePageCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';
import { SlowAnswers, type SlowParts } from './slow-answers.ts';

/** `GET /api/releases` and `GET /api/releases/{service}/{version}` (questions.md 9 and 12.9). */
export function addReleases(api: CoreApi, parts: SlowParts): void {
  const { reads } = parts;
  const pages = new SlowAnswers('releases', parts);
  api.serve('listReleases', ({ query, headers, request }) => {
    const { service, q, cursor, limit = limits.pageSizeDefault } = query;
    const after = parsedCursor(cursor, parsePageCursor);
    return pages.answer({
      headers,
      request,
      isCold: false,
      key: JSON.stringify([service, q, cursor, limit]),
      compute: async () => {
        const { state, result } = await reads.folded((log, { below }) =>
          listReleases(log, { service, q, after, size: limit, below }),
        );
        const { releases, next } = result;
        const items = releases.map((release) => `{${members(release)}}`);
        const json = `{"items":[${items.join(',')}],"next_cursor":${JSON.stringify(next ? pageCursor(next) : null)}}`;
        return { state, json };
      },
    });
  });

  const releases = new SlowAnswers('release', parts);
  api.serve('getRelease', ({ params: { service, version }, headers, request }) => {
    if (!isName(request.originalUrl, service, version)) throw unknown();
    return releases.answer({
      headers,
      request,
      isCold: false,
      key: JSON.stringify([service, version]),
      compute: async () => {
        const { state, result: release } = await reads.folded((log, { below }) =>
          readRelease(log, { service, releases: releasesNamed(version), below }),
        );
        if (!release) throw unknown();
        const { eventsJson, replacedJson } = release;
        return { state, json: `{${members(release)},"events":${eventsJson},"replaced":${replacedJson}}` };
      },
    });
  });
}

/** Names contain neither invalid percent-encoding nor NUL (reading 1.6). */
function isName(url: string, ...names: readonly string[]): boolean {
  return decoded(url.replace(/\?.*$/s, '')) !== undefined && names.every((name) => !name.includes('\0'));
}

function unknown(): Problem {
  return new Problem('not-found', { detail: 'No event of this release is stored.' });
}

/** The members of a release, without braces. Events are inserted as stored. */
function members({ service, release, placesJson, runsInJson, firstAt, lastAt, ...newest }: StoredRelease): string {
  const version = versionOf(release);
  const { sha, ref, actor } = newest;
  const plain = JSON.stringify({ service, version, sha, ref, actor, first_at: firstAt, last_at: lastAt });
  return `${plain.slice(1, -1)},"runs_in":${runsInJson},"places":${placesJson}`;
}

/** A stored release is `v` and the version, or `s` and the sha (questions.md 12.1). */
export function versionOf(release: string): string | null {
  return release.startsWith('v') ? release.slice(1) : null;
}

/**
 * The stored releases that a name can refer to. If the log has both, the version takes precedence (questions.md 12.9).
 */
export function releasesNamed(name: string): readonly [version: string, sha: string] {
  return [`v${name}`, `s${name}`];
}
