import type { FindingKind, QualityReport } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';

/** What can be said of the log as a whole. */
export interface Headline {
  readonly answer: string;
  readonly says: string;
}

/** How far a log can be trusted, by how many of its services have findings; `services` = all that were looked at. */
export function headlineOf({ emitters, findings, counts, next_cursor }: QualityReport, services: number): Headline {
  if (emitters.length === 0) return { answer: 'Not yet.', says: 'The log is empty: no event has been posted.' };
  const all = findingsIn(counts);
  if (all === 0) return { answer: 'Yes.', says: 'There is no finding. The figures stand as they are.' };
  const touched = new Set(findings.flatMap(({ service }) => service ?? [])).size;
  const some = next_cursor === null ? '' : 'at least ';
  const findingsText = `${pluralize(all, 'finding')} ${all === 1 ? 'touches' : 'touch'}`;
  if (touched === 0) {
    return {
      answer: 'Mostly.',
      says: `${pluralize(all, 'finding')} of names or emitters; no service has one of its own.`,
    };
  }
  const says = `${findingsText} ${some}${touched} of ${pluralize(services, 'service')}.`;
  const rest = services - touched;
  if (next_cursor !== null || rest <= 0) return { answer: answerOf(touched, services), says };
  const stand = `The figures of the other ${rest} stand as they are.`;
  return { answer: answerOf(touched, services), says: `${says} ${stand}` };
}

function answerOf(touched: number, services: number): string {
  return touched * 2 > services ? 'Only in part.' : 'Mostly.';
}

/** How many findings there are, of these kinds or of all. */
export function findingsIn(counts: QualityReport['counts'], kinds: readonly FindingKind[] = []): number {
  const wanted = kinds.length === 0 ? Object.values(counts) : kinds.map((kind) => counts[kind] ?? 0);
  return wanted.reduce((sum, count) => sum + count, 0);
}
