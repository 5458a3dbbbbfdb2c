import { type TopDeployersReport, unknownActor } from '@shiplog/contract';
import { Cut } from '../ui/text.tsx';
import { BarRows } from './bar-rows.tsx';
import type { Chart } from './chart-card.tsx';
import { RowsLink } from './rows-link.tsx';
import { cell } from './table.tsx';
import { actorRows } from './targets.ts';

/** The table shows every deployer in the response. */
const drawnMax = 10;

export const deployersChart: Chart<TopDeployersReport> = {
  title: 'Top deployers',
  says: `Events of any status by actor: the top ten, or the first 100 in the table. "${unknownActor}" means events without an actor; it has no link.`,
  none: ({ deployers }) => (deployers.length > 0 ? undefined : 'No deployments in this period.'),
  table: ({ window, deployers }) => ({
    head: ['Actor', 'Events'],
    rows: deployers.map(({ actor, count }) => [
      cell(
        actor,
        <RowsLink to={actorRows(window, actor)}>
          <Cut text={actor} />
        </RowsLink>,
      ),
      count,
    ]),
  }),
  draw: ({ window, deployers }) => (
    <BarRows
      rows={deployers.slice(0, drawnMax).map(({ actor, count }) => ({
        key: actor,
        name: <Cut text={actor} />,
        count,
        to: actorRows(window, actor),
      }))}
    />
  ),
};
