import type { FindingKind, QualityReport } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

export interface Headline {
  readonly answer: string;
  readonly says: string;
}

/** How far a log can be trusted, judged by the share of services with findings; `services` is the number checked. */
export function headlineOf({ emitters, findings, counts, next_cursor }: QualityReport, services: number): Headline {
  if (emitters.length === 0) return { answer: 'Not yet.', says: 'The log is empty: no event has been posted.' };
  const all = findingsIn(counts);
  if (all === 0) return { answer: 'Yes.', says: 'No findings. All figures can be used as shown.' };
  const touched = new Set(findings.flatMap(({ service }) => service ?? [])).size;
  const some = next_cursor === null ? '' : 'at least ';
  const findingsText = `${pluralize(all, 'finding')} ${all === 1 ? 'affects' : 'affect'}`;
  if (touched === 0) {
    return {
      answer: 'Mostly.',
      says: `${pluralize(all, 'finding')} about names or reporters, none about a single service.`,
    };
  }
  const says = `${findingsText} ${some}${touched} of ${pluralize(services, 'service')}.`;
  const remaining = services - touched;
  if (next_cursor !== null || remaining <= 0) return { answer: answerOf(touched, services), says };
  const stand = `The figures of the other ${remaining} can be used as shown.`;
  return { answer: answerOf(touched, services), says: `${says} ${stand}` };
}

function answerOf(touched: number, services: number): string {
  return touched * 2 > services ? 'Only in part.' : 'Mostly.';
}

export function findingsIn(counts: QualityReport['counts'], kinds: readonly FindingKind[] = []): number {
  const numbers = kinds.length === 0 ? Object.values(counts) : kinds.map((kind) => counts[kind] ?? 0);
  return numbers.reduce((sum, count) => sum + count, 0);
}
