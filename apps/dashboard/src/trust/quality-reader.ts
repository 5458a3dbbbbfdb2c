import type { Finding, FindingKind, QualityReport } from '@shiplog/contract';
import { useState } from 'preact/hooks';
import type { ScopeQuery } from '../board/scope.ts';
import { type Answer, sentenceOf, useAnswer } from '../ui/answer.ts';
import { useApp } from '../ui/app.ts';
import { useRounds } from '../ui/rounds.ts';

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
  const answer = useAnswer((signal) => ask({ signal }), [key, round]);
  const loaded: Answer<LoadedQuality> =
    answer.kind === 'here' ? { kind: 'here', value: joined(answer.value, further) } : answer;
  const askMore = async () => {
    if (answer.kind !== 'here' || loaded.kind !== 'here' || loaded.value.next_cursor === null) return;
    const { value: of } = answer;
    const before = loaded.value.findings.slice(of.findings.length);
    const page = await ask({ cursor: loaded.value.next_cursor }).catch(sentenceOf);
    setFurther(
      typeof page === 'string'
        ? { of, findings: before, next: loaded.value.next_cursor, fault: page }
        : { of, findings: [...before, ...page.findings], next: page.next_cursor },
    );
  };
  return { loaded, askMore };
}

function joined(report: QualityReport, further: Further | undefined): LoadedQuality {
  if (further?.of !== report) return { ...report, fault: undefined };
  const findings = [...report.findings, ...further.findings];
  return { ...report, findings, next_cursor: further.next, fault: further.fault };
}
