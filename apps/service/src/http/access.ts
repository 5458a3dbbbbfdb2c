import { limits, parseId } from '@shiplog/contract';
import { listed, momentary, Problem, pageOf, parsedCursor } from '@shiplog/server';
import type { Access } from '../access/access.ts';
import { selfOf } from '../access/credential.ts';
import { proofOf } from '../access/proof.ts';
import { listActs } from '../db/access/acts.ts';
import { listPins } from '../db/access/pins.ts';
import { readProof } from '../db/access/proofs.ts';
import type { Queries } from '../db/database.ts';
import { idCursor, parseIdCursor, parsePinCursor, pinCursor } from '../domain/page-cursor.ts';
import type { CoreApi } from './api.ts';

/** Credentials, proofs, acts and pins (access.md). */
export function addAccess(
  api: CoreApi,
  { access, reads, writes }: { access: Access; reads: Queries; writes: Queries },
): void {
  api.serve('getAccessSelf', async ({ request }) => momentary(selfOf(await access.guard.self(request))));

  api.serve('openReaderSession', async ({ request, reply }) => {
    await access.openWall(request, reply);
    return { status: 204, headers: { 'Cache-Control': 'no-store' } };
  });

  api.serve('getProof', async ({ params }) => {
    const id = parseId(params.id);
    const stored = id && (await readProof(reads, id));
    if (!stored) throw new Problem('not-found', { detail: 'No deployment event has this id.' });
    return listed(proofOf(stored));
  });

  // Acts and pins are read from the primary, because a standby may not know yet what was just revoked.
  api.serve('listAccessActs', async ({ query }) => {
    const before = parsedCursor(query.cursor, parseIdCursor);
    const page = await listActs(writes, query.kind, { before, size: query.limit ?? limits.pageSizeDefault });
    return pageOf(page.records, page.next && idCursor(page.next));
  });

  api.serve('listAccessPins', async ({ query }) => {
    const size = query.limit ?? limits.pageSizeDefault;
    const rows = await listPins(writes, parsedCursor(query.cursor, parsePinCursor), size);
    const items = rows.slice(0, size);
    const last = rows.length > size ? items.at(-1) : undefined;
    return pageOf(
      items.map(({ issuer, kind, name, id, at }) => JSON.stringify({ issuer, kind, name, id, at })),
      last && pinCursor(last),
    );
  });

  api.serve('forgetAccessPin', async ({ params }) => {
    const { issuer, name } = params;
    // PostgreSQL can't store U+0000, so no pin contains it.
    if (!`${issuer}${name}`.includes('\0') && (await access.forgetPin(issuer, name))) return { status: 204 };
    throw new Problem('not-found', { detail: 'No pin has this issuer and name.' });
  });
}
