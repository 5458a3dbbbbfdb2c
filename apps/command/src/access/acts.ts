import { pagesOf } from '@shiplog/client';
import { type AccessAct, type ActKind, actKinds, limits } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { show } from '../questions/listing.ts';
import { limitOf } from '../questions/query-options.ts';
import { withControlKey } from '../transfer/remove.ts';

const limitDefault = 50;

/** `shiplog access acts`: what changed about access, latest first (access.md 6). */
export async function showActs({ options }: Given, context: Context): Promise<number> {
  const { out } = context;
  const kinds = kindsOf((options.kind ?? []) as readonly string[]);
  const acts = await latestActs(kinds, limitOf(options.limit, limitDefault), context);
  if (out.isJson) for (const act of acts) out.json(act);
  else if (acts.length === 0) out.note('No acts found.');
  else {
    show(out, {
      head: ['at', 'kind', 'subject', 'reason', 'count', 'detail'],
      rows: acts.map(({ at, kind, subject, reason, count, detail }) => [
        ...[at, kind, subject ?? '', reason ?? '', String(count)],
        detail ? JSON.stringify(detail) : '',
      ]),
      styleOf: (text, column) => (column === 1 && text.endsWith('refused') ? 'yellow' : undefined),
    });
  }
  return exitCodes.done;
}

function kindsOf(given: readonly string[]): readonly ActKind[] {
  const unknown = given.filter((word) => !actKinds.some((kind) => kind === word));
  if (unknown.length > 0) throw usageFailure(`Unknown --kind ${unknown.join(', ')}. Kinds: ${actKinds.join(', ')}.`);
  return given as readonly ActKind[];
}

async function latestActs(kinds: readonly ActKind[], limit: number, context: Context): Promise<AccessAct[]> {
  const found: AccessAct[] = [];
  await withControlKey(context, async (client) => {
    const kind = kinds.length > 0 ? [...kinds] : undefined;
    const pages = pagesOf(async (cursor) => {
      const query = { kind, cursor, limit: Math.min(limit, limits.pageSizeMax) };
      return (await client.listAccessActs({ query, signal: context.signal })).body;
    });
    for await (const { items } of pages) {
      found.push(...items);
      if (found.length >= limit) break;
    }
  });
  return found.slice(0, limit);
}
