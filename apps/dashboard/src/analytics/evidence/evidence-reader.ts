import type { AnyEvidenceItem, AnyEvidenceReport, ProvableFigure } from '@shiplog/contract';
import type { EvidenceSide } from '../../state/address/figures.ts';
import { type Answer, type Pages, usePages } from '../../ui/answer.ts';
import { useApp } from '../../ui/app.ts';
import type { FigureQuery } from '../question.ts';

const pageItems = 500;

export interface LoadedEvidence {
  readonly report: AnyEvidenceReport;
  readonly items: readonly AnyEvidenceItem[];
  readonly isMore: boolean;
  readonly fault: string | undefined;
}

type KeyedReport = AnyEvidenceReport & { readonly key: string };

export function useEvidence(figure: ProvableFigure, side: EvidenceSide, query: FigureQuery) {
  const { client } = useApp().connection;
  const key = JSON.stringify([figure, side, query]);
  // Request again even if the new query equals the previous one, because the log may have changed.
  const { answer, askMore } = usePages(
    async (cursor, signal): Promise<KeyedReport> => {
      const counted = side === 'counted' ? 'true' : 'false';
      const { body } = await client.getEvidence({
        params: { figure },
        query: { ...query, counted, limit: pageItems, ...(cursor && { cursor }) },
        ...(signal && { signal }),
      });
      return { ...body, key };
    },
    [key, query],
  );
  return { loaded: loadedOf(answer, key), askMore };
}

function loadedOf(answer: Answer<Pages<KeyedReport>>, key: string): Answer<LoadedEvidence> {
  if (answer.kind !== 'here') return answer;
  const { first: report, pages, next, fault } = answer.value;
  if (report.key !== key) return { kind: 'waiting' };
  const items = pages.flatMap((page) => page.items);
  return { kind: 'here', value: { report, items, isMore: next !== null, fault } };
}
