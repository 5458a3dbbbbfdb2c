import { type QualityReport, withoutHistory } from '@shiplog/contract';
import type { ScopeQuery } from '../../board/scope.ts';
import { type Answer, type Pages, usePages } from '../../ui/answer.ts';
import { useApp } from '../../ui/app.ts';
import { findingsIn } from './finding-groups.ts';

const refreshMs = 5 * 60_000;
const pageFindings = 500;

/** A report with the findings of all loaded pages; `next_cursor` is from the last page. */
export type LoadedQuality = QualityReport & {
  readonly fault: string | undefined;
  /** The number of places whose late events are only history imported by a new reporter. */
  readonly historyPlaces: number;
};
type Page = QualityReport & Pick<LoadedQuality, 'historyPlaces'>;

export function useQuality(scope: ScopeQuery) {
  const { client } = useApp().connection;
  const ask = async (cursor: string | undefined, signal: AbortSignal | undefined) => {
    const query = { ...scope, limit: pageFindings, ...(cursor && { cursor }) };
    return (await client.getQuality({ query, ...(signal && { signal }) })).body;
  };
  const { answer, askMore } = usePages(
    (from, signal) => pageOfFindings((cursor = from) => ask(cursor, signal)),
    [JSON.stringify(scope)],
    { everyMs: refreshMs },
  );
  const loaded: Answer<LoadedQuality> = answer.kind === 'here' ? { kind: 'here', value: joined(answer.value) } : answer;
  return { loaded, askMore };
}

/** The next page that has findings other than history, or else the last page. */
export async function pageOfFindings(ask: (cursor?: string) => Promise<QualityReport>): Promise<Page> {
  for (let cursor: string | undefined; ; ) {
    const answered = await ask(cursor);
    const page = { ...withoutHistory(answered), historyPlaces: answered.late_before_reporters ?? 0 };
    if (findingsIn(page.counts) === 0) return { ...page, next_cursor: null };
    if (page.findings.length > 0 || page.next_cursor === null) return page;
    cursor = page.next_cursor;
  }
}

function joined({ first, pages, next, fault }: Pages<Page>): LoadedQuality {
  const findings = pages.flatMap((page) => page.findings);
  // The remaining pages may have only findings that are history.
  const isAll = findings.length >= findingsIn(first.counts);
  return { ...first, findings, next_cursor: isAll ? null : next, fault };
}
