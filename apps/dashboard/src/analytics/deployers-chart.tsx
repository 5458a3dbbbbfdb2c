import { type TopDeployersReport, unknownActor } from '@shiplog/contract';
import type { Answer } from '../ui/answer.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { BarRows } from './bar-rows.tsx';
import { ChartCard } from './chart-card.tsx';
import { numberText } from './figures.ts';
import { actorRows } from './targets.ts';

export function DeployersChart({ answer }: { readonly answer: Answer<TopDeployersReport> }) {
  return (
    <ChartCard
      title="Top deployers"
      says={`Rows of every status by actor, the ten with the most. "${unknownActor}" are rows that name nobody; they have no link.`}
      answer={answer}
      none={({ deployers }) => (deployers.length > 0 ? undefined : 'Nobody deployed in this period.')}
      table={({ window, deployers }) => ({
        head: ['Actor', 'Rows'],
        rows: deployers.map(({ actor, count }) => [
          <Link to={actorRows(window, actor)}>
            <Cut text={actor} />
          </Link>,
          numberText(count),
        ]),
      })}
    >
      {({ window, deployers }) => (
        <BarRows
          rows={deployers.map(({ actor, count }) => ({
            key: actor,
            name: <Cut text={actor} />,
            count,
            to: actorRows(window, actor),
          }))}
        />
      )}
    </ChartCard>
  );
}
