import { type Finding, type FindingKind, type QualityReport, withoutHistory } from '@shiplog/contract';
import { useState } from 'preact/hooks';
import type { ScopeQuery } from '../board/scope.ts';
import { type Answer, sentenceOf, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { useRounds } from '../ui/rounds.ts';
import { findingsIn } from './headline.ts';

const againMs = 5 * 60_000;
const pageFindings = 100;

interface Further {
  readonly of: QualityReport;
  readonly findings: readonly Finding[];
  readonly next: string | null;
  readonly fault?: string;
}

/** A report with the findings of all pages that were asked for; `next_cursor` is that of the last. */
export type LoadedQuality = QualityReport & { readonly fault: string | undefined };

/** What is wrong with a part of the log, asked again every few minutes, page by page. */
export function useQuality(scope: ScopeQuery, kinds: readonly FindingKind[]) {
  const { client } = useApp().connection;
  const [further, setFurther] = useState<Further>();
  const round = useRounds(againMs);
  const key = JSON.stringify([scope, kinds]);
  const ask = async (more: { readonly signal?: AbortSignal; readonly cursor?: string }) => {
    const { signal, cursor } = more;
    const query = { ...scope, ...(kinds.length > 0 && { kind: [...kinds] }), limit: pageFindings };
    const { body } = await client.getQuality({
      query: { ...query, ...(cursor && { cursor }) },
      ...(signal && { signal }),
    });
    return body;
  };
  const answer = useAnswer(
    (signal) => pageOfFindings((cursor) => ask({ signal, ...(cursor !== undefined && { cursor }) }), { kinds }),
    [key, round],
  );
  const loaded: Answer<LoadedQuality> =
    answer.kind === 'here' ? { kind: 'here', value: joined(answer.value, further, kinds) } : answer;
  const askMore = async () => {
    if (answer.kind !== 'here' || loaded.kind !== 'here' || loaded.value.next_cursor === null) return;
    const { value: of } = answer;
    const before = loaded.value.findings.slice(of.findings.length);
    const from = loaded.value.next_cursor;
    const page = await pageOfFindings((cursor = from) => ask({ cursor }), { kinds }).catch(sentenceOf);
    setFurther(
      typeof page === 'string'
        ? { of, findings: before, next: from, fault: page }
        : { of, findings: [...before, ...page.findings], next: page.next_cursor },
    );
  };
  return { loaded, askMore };
}

/** The next page with a finding that is not history alone; without any left, the last. */
export async function pageOfFindings(
  ask: (cursor?: string) => Promise<QualityReport>,
  { kinds }: { readonly kinds: readonly FindingKind[] },
): Promise<QualityReport> {
  for (let page = withoutHistory(await ask()); ; page = withoutHistory(await ask(page.next_cursor))) {
    if (findingsIn(page.counts, kinds) === 0) return { ...page, next_cursor: null };
    if (page.findings.length > 0 || page.next_cursor === null) return page;
  }
}

function joined(report: QualityReport, further: Further | undefined, kinds: readonly FindingKind[]): LoadedQuality {
  const own = further?.of === report ? further : undefined;
  const findings = [...report.findings, ...(own?.findings ?? [])];
  // What is left may be history alone.
  const isAll = findings.length >= findingsIn(report.counts, kinds);
  return { ...report, findings, next_cursor: isAll ? null : own ? own.next : report.next_cursor, fault: own?.fault };
}
