import { type FindingKind, type QualityReport, withoutHistory } from '@shiplog/contract';
import type { ScopeQuery } from '../board/scope.ts';
import { type Answer, type Pages, usePages } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { findingsIn } from './headline.ts';

const refreshMs = 5 * 60_000;
const pageFindings = 100;

/** A report with the findings of all loaded pages; `next_cursor` is from the last page. */
export type LoadedQuality = QualityReport & { readonly fault: string | undefined };

export function useQuality(scope: ScopeQuery, kinds: readonly FindingKind[]) {
  const { client } = useApp().connection;
  const query = { ...scope, ...(kinds.length > 0 && { kind: [...kinds] }), limit: pageFindings };
  const ask = async (cursor: string | undefined, signal: AbortSignal | undefined) =>
    (await client.getQuality({ query: { ...query, ...(cursor && { cursor }) }, ...(signal && { signal }) })).body;
  const { answer, askMore } = usePages(
    (from, signal) => pageOfFindings((cursor = from) => ask(cursor, signal), { kinds }),
    [JSON.stringify([scope, kinds])],
    { everyMs: refreshMs },
  );
  const loaded: Answer<LoadedQuality> =
    answer.kind === 'here' ? { kind: 'here', value: joined(answer.value, kinds) } : answer;
  return { loaded, askMore };
}

/** The next page with findings that are more than history, or else the last page. */
export async function pageOfFindings(
  ask: (cursor?: string) => Promise<QualityReport>,
  { kinds }: { readonly kinds: readonly FindingKind[] },
): Promise<QualityReport> {
  for (let page = withoutHistory(await ask()); ; page = withoutHistory(await ask(page.next_cursor))) {
    if (findingsIn(page.counts, kinds) === 0) return { ...page, next_cursor: null };
    if (page.findings.length > 0 || page.next_cursor === null) return page;
  }
}

function joined({ first, pages, next, fault }: Pages<QualityReport>, kinds: readonly FindingKind[]): LoadedQuality {
  const findings = pages.flatMap((page) => page.findings);
  // The remaining pages may have only findings that are history.
  const isAll = findings.length >= findingsIn(first.counts, kinds);
  return { ...first, findings, next_cursor: isAll ? null : next, fault };
}
