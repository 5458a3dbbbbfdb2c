import type { PromotionFunnelReport } from '@shiplog/contract';
import type { Answer } from '../ui/answer.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { ChartCard } from './chart-card.tsx';
import { numberText, percentText } from './figures.ts';
import { stageRows } from './targets.ts';

export function FunnelChart({ answer }: { readonly answer: Answer<PromotionFunnelReport> }) {
  return (
    <ChartCard
      title="Promotion"
      says="Deployments with a row of any status in each stage. The percentage is the next stage's count by this one's, and can pass 100 %."
      answer={answer}
      none={({ stages }) =>
        stages.some(({ count }) => count > 0) ? undefined : 'No deployment reached a stage in this period.'
      }
      table={({ window, stages }) => ({
        head: ['Stage', 'Deployments', 'To the next stage'],
        rows: stages.map(({ environment, count, conversion }) => [
          <Link to={stageRows(window, environment)}>
            <Cut text={environment} />
          </Link>,
          numberText(count),
          conversion === null ? '—' : percentText(conversion),
        ]),
      })}
    >
      {(report) => <Stages {...report} />}
    </ChartCard>
  );
}

function Stages({ window, stages }: PromotionFunnelReport) {
  const greatest = Math.max(1, ...stages.map(({ count }) => count));
  return (
    <ol class="stages">
      {stages.map(({ environment, count, conversion }, index) => (
        <li key={environment}>
          <Link to={stageRows(window, environment)}>
            <span class="stage-column">
              <b>{numberText(count)}</b>
              <span class="stage-bar" style={{ height: `${(count / greatest) * 100}%` }} />
            </span>
            <Cut text={environment} />
          </Link>
          <span class="conversion">
            {index < stages.length - 1 && conversion !== null ? `${percentText(conversion)} →` : ''}
          </span>
        </li>
      ))}
    </ol>
  );
}
