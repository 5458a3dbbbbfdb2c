import { newestFirst } from '../board/board.ts';
import { type Section, type ServiceStages, sections } from './service-stages.ts';

export interface SectionRows {
  readonly section: Section;
  readonly lines: readonly ServiceStages[];
}

/** The section of each service, from top to bottom. */
export type LineOrder = ReadonlyMap<string, Section>;

/** Sorts rows by section. In `rest`, they are sorted by name; elsewhere, nearest to production first, then newest. */
export function lineOrder(lines: readonly ServiceStages[], columns: readonly string[]): LineOrder {
  const rank = new Map(columns.map((name, index) => [name, index]));
  const rankOf = ({ far }: ServiceStages) => rank.get(far.environment) ?? -1;
  const byUrgency = (one: ServiceStages, other: ServiceStages) =>
    rankOf(other) - rankOf(one) ||
    (one.far.event && other.far.event ? newestFirst(one.far.event, other.far.event) : 0) ||
    one.service.localeCompare(other.service);
  const byName = (one: ServiceStages, other: ServiceStages) => one.service.localeCompare(other.service);
  return new Map(
    sections.flatMap((section) =>
      lines
        .filter((line) => line.section === section)
        .sort(section === 'rest' ? byName : byUrgency)
        .map(({ service }) => [service, section] as const),
    ),
  );
}

/** The current rows in the previous order. `moves` is the number of rows that were added or have changed section. */
export function asStood(
  lines: readonly ServiceStages[],
  stood: LineOrder,
): { readonly parts: readonly SectionRows[]; readonly moves: number } {
  const byService = new Map(lines.map((line) => [line.service, line]));
  const parts = sections.map((section) => ({
    section,
    lines: [...stood].flatMap(([service, part]) => (part === section ? (byService.get(service) ?? []) : [])),
  }));
  const moves = lines.filter(({ service, section }) => stood.get(service) !== section).length;
  return { parts: parts.filter(({ lines: own }) => own.length > 0), moves };
}
