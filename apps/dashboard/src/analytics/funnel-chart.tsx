import type { PromotionFunnelReport } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { Cut } from '../ui/text.tsx';
import type { Chart } from './chart-card.tsx';
import { FigureButton } from './figure-button.tsx';
import { numberText, percentText } from './figures.ts';
import { RowsLink } from './rows-link.tsx';
import { cell } from './table.tsx';
import { stageRows } from './targets.ts';

export const funnelChart: Chart<PromotionFunnelReport> = {
  title: 'Promotion',
  says: 'Deployments with an event in each stage of the promotion order. The environment filter does not apply.',
  none: ({ stages }) =>
    stages.some(({ count }) => count > 0) ? undefined : 'No deployments reached a stage in this period.',
  table: ({ window, stages }) => ({
    head: ['Stage', 'Deployments', 'To the next stage', 'Directly, at least'],
    rows: stages.map(({ environment, count, conversion }, index) => [
      cell(
        environment,
        <RowsLink to={stageRows(window, environment)}>
          <Cut text={environment} />
        </RowsLink>,
      ),
      count,
      conversion === null || conversion > 1 ? null : cell(conversion, percentText(conversion)),
      straightTo(stages, index),
    ]),
  }),
  draw: (report) => <Stages {...report} />,
};

function Stages({ window, stages }: PromotionFunnelReport) {
  const greatest = Math.max(1, ...stages.map(({ count }) => count));
  return (
    <>
      <p class="wrap fine totals">
        <FigureButton figure="promotion_funnel">
          {plain(promotionSentence(stages) ?? 'the counted deployments')}
        </FigureButton>
      </p>
      <ol class="stages">
        {stages.map(({ environment, count, conversion }, index) => (
          <li key={environment} class="column gap-4">
            <RowsLink class="column gap-4" to={stageRows(window, environment)}>
              <span class="column stage-column">
                <span class="firm">{numberText(count)}</span>
                <span class="stage-bar" style={{ height: `${(count / greatest) * 100}%` }} />
              </span>
              <Cut text={environment} />
            </RowsLink>
            <span class="conversion right nowrap soft tiny">
              {index < stages.length - 1 && conversion !== null && conversion <= 1
                ? `${percentText(conversion)} →`
                : ''}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}

type Stages = PromotionFunnelReport['stages'];

/** The minimum number of deployments that skipped the previous stage; 0 if unknown. A share could exceed 100 %. */
export function straightTo(stages: Stages, index: number): number {
  const before = stages[index - 1];
  return before ? Math.max(0, (stages[index]?.count ?? 0) - before.count) : 0;
}

/** For the last stage: "46 reached preprod, 53 reached prod; at least 7 came directly to prod". */
export function promotionSentence(stages: Stages): string | undefined {
  const [last, before] = [stages.at(-1), stages.at(-2)];
  if (!last || !before || last.count + before.count === 0) return undefined;
  const straight = straightTo(stages, stages.length - 1);
  const reached = `${before.count} reached ${before.environment}, ${last.count} reached ${last.environment}`;
  return straight === 0 ? `${reached}.` : `${reached}; at least ${straight} came directly to ${last.environment}.`;
}
