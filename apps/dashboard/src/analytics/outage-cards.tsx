import { type AnalyticsKpi, type OutagesReport, outageFigures } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import { classText, outageTexts, tooFewText } from './figures.ts';
import { changeOf, FigureCard } from './key-card.tsx';
import type { Question } from './question.ts';

interface OutageCardsProps {
  readonly question: Question;
  readonly report: OutagesReport;
  /** The number of deployments that ended in the period. */
  readonly ended: number;
  /** Why there is no previous period. */
  readonly noPrevious: string;
}

/** What broke in practice, shown next to the four keys, which cover only failed deployments (outages.md 3.5). */
export function OutageCards({ question, report, ended, noPrevious }: OutageCardsProps) {
  return (
    <section class="stack gap-8" aria-label="Outages">
      <p class="small strong">{countsText(report)}</p>
      <div class="stack keys">
        {outageFigures.map((figure) => {
          const { title, says, absence, counts } = outageTexts[figure];
          const kpi = report[figure];
          const level = kpi.classification === null ? undefined : (tooFewText(ended) ?? classText(kpi as AnalyticsKpi));
          return (
            <FigureCard
              key={figure}
              {...{ figure, title, question, counts, says, absence, kpi }}
              level={question.scope.isProduction ? level : undefined}
              change={changeOf(kpi, noPrevious)}
            />
          );
        })}
      </div>
    </section>
  );
}

/** "3 outages opened: 1 with a named cause, 1 with a suspect, 1 without a deployment". */
export function countsText({
  outages: { count, linked, suspected, unlinked },
}: Pick<OutagesReport, 'outages'>): string {
  if (count === 0) return 'No outage opened in this period.';
  const without = unlinked.reduce((sum, each) => sum + each.count, 0);
  const parts = [
    [linked, 'with a named cause'],
    [suspected, 'with a suspect'],
    [without, 'without a deployment'],
  ] as const;
  const told = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  return `${pluralize(count, 'outage')} opened: ${told.join(', ')}.`;
}
