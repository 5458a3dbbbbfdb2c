import type { Client } from '@shiplog/client';
import type { EvidenceFigure, EvidenceReport } from '@shiplog/contract';
import { expect } from 'vitest';
import type { AskedFigures } from './analytics-history.ts';

interface Pages {
  readonly limit: number;
  readonly counted?: 'true' | 'false';
}

/** All items, read page by page. Everything except the items must be equal on all pages. */
export async function readEvidence(
  client: Client,
  figure: EvidenceFigure,
  query: AskedFigures,
  { limit, counted }: Pages,
): Promise<EvidenceReport> {
  const ask = async (cursor: string | null) => {
    const page = { limit, ...(counted && { counted }), ...(cursor !== null && { cursor }) };
    return (await client.getEvidence({ params: { figure }, query: { ...query, ...page } })).body as EvidenceReport;
  };
  const first = await ask(null);
  const items = [...first.items];
  let { next_cursor } = first;
  while (next_cursor !== null) {
    const { items: more, next_cursor: next, ...said } = await ask(next_cursor);
    const { items: _, next_cursor: __, ...due } = first;
    expect(said).toEqual(due);
    expect(more.length).toBeGreaterThan(0);
    items.push(...more);
    next_cursor = next;
  }
  return { ...first, items, next_cursor };
}
