import type { EvidenceFigure, EvidenceItem, EvidenceReport } from '@shiplog/contract';
import { useState } from 'preact/hooks';
import type { EvidenceSide } from '../../state/asked/figures.ts';
import { type Answer, sentenceOf, useAnswer } from '../../ui/answer.ts';
import { useApp } from '../../ui/app.ts';
import type { FigureQuery } from '../question.ts';

const pageItems = 500;

/** The items that are loaded. */
export interface LoadedEvidence {
  readonly report: EvidenceReport;
  readonly items: readonly EvidenceItem[];
  /** There are more of them. */
  readonly isMore: boolean;
  readonly fault: string | undefined;
}

interface Further {
  readonly of: EvidenceReport;
  readonly items: readonly EvidenceItem[];
  readonly next: string | null;
  readonly fault?: string;
}

/** What a figure is made of, page by page. */
export function useEvidence(figure: EvidenceFigure, side: EvidenceSide, query: FigureQuery) {
  const { client } = useApp().connection;
  const [further, setFurther] = useState<Further>();
  const key = JSON.stringify([figure, side, query]);
  const ask = async (more: { readonly signal?: AbortSignal; readonly cursor?: string }) => {
    const { signal, cursor } = more;
    const { body } = await client.getEvidence({
      params: { figure },
      query: { ...query, counted: side === 'counted' ? 'true' : 'false', limit: pageItems, ...(cursor && { cursor }) },
      ...(signal && { signal }),
    });
    return body;
  };
  // The same query is another one when the log may have changed under it.
  const answer = useAnswer(async (signal) => ({ key, report: await ask({ signal }) }), [key, query]);
  const loaded = loadedOf(answer, key, further);
  const next =
    loaded.kind === 'here'
      ? further?.of === loaded.value.report
        ? further.next
        : loaded.value.report.next_cursor
      : null;
  const askMore = async () => {
    if (loaded.kind !== 'here' || next === null) return;
    const { report } = loaded.value;
    const before = further?.of === report ? further.items : [];
    const page = await ask({ cursor: next }).catch(sentenceOf);
    setFurther(
      typeof page === 'string'
        ? { of: report, items: before, next, fault: page }
        : { of: report, items: [...before, ...page.items], next: page.next_cursor },
    );
  };
  return { loaded, askMore };
}

function loadedOf(
  answer: Answer<{ readonly key: string; readonly report: EvidenceReport }>,
  key: string,
  further: Further | undefined,
): Answer<LoadedEvidence> {
  if (answer.kind !== 'here') return answer;
  const { report } = answer.value;
  if (answer.value.key !== key) return { kind: 'waiting' };
  const more = further?.of === report ? further : undefined;
  const value = {
    report,
    items: [...report.items, ...(more?.items ?? [])],
    isMore: (more ? more.next : report.next_cursor) !== null,
    fault: more?.fault,
  };
  return { kind: 'here', value };
}
