import {
  type DurationHistogramReport,
  type PromotionFunnelReport,
  type TopDeployersReport,
  unknownActor,
} from '@shiplog/contract';
import { plain } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import type { Address } from '../../state/address.ts';
import { Cut } from '../../ui/text.tsx';
import { FigureButton } from '../figure-button.tsx';
import { percentText, spanText } from '../figures.ts';
import { actorRows, RowsLink, stageRows, windowRows } from '../links.tsx';
import type { Chart } from './chart.tsx';

export const funnelChart: Chart<PromotionFunnelReport> = {
  title: 'Promotion',
  says: 'Deployments with an event in each stage of the promotion order, and the share that reached the next stage. The environment filter does not apply.',
  none: ({ stages }) =>
    stages.some(({ count }) => count > 0) ? undefined : 'No deployments reached a stage in this period.',
  csv: ({ stages }) => ({
    head: ['Stage', 'Deployments', 'Share to the next stage', 'Directly, at least'],
    rows: stages.map((stage, index) => [
      stage.environment,
      stage.count,
      shareToNext(stage) ?? null,
      straightTo(stages, index),
    ]),
  }),
  draw: ({ window, stages }) => (
    <>
      <p class="wrap fine">
        <FigureButton figure="promotion_funnel">
          {plain(promotionSentence(stages) ?? 'the counted deployments')}
        </FigureButton>
      </p>
      <BarRows
        rows={stages.map((stage) => {
          const share = shareToNext(stage);
          return {
            key: stage.environment,
            name: <Cut text={stage.environment} />,
            count: stage.count,
            note: share === undefined ? '' : `${percentText(share)} →`,
            to: stageRows(window, stage.environment),
          };
        })}
      />
    </>
  ),
};

type Stages = PromotionFunnelReport['stages'];

/** A share above 1 says nothing, because deployments can skip stages. */
function shareToNext({ conversion }: Stages[number]): number | undefined {
  return conversion === null || conversion > 1 ? undefined : conversion;
}

/** The minimum number of deployments that skipped the previous stage; 0 if unknown. */
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

export const durationsChart: Chart<DurationHistogramReport> = {
  title: 'Durations',
  says: 'Deployments by the minutes from first to last event. Deployments with a single event are left out. A bar links to all events of the period.',
  none: ({ bins }) =>
    bins.some(({ count }) => count > 0) ? undefined : 'No deployment has more than one event in this period.',
  csv: ({ bins, p50, p95 }) => ({
    head: ['Minutes', 'Deployments'],
    rows: [...bins.map((bin) => [binLabel(bin), bin.count]), ['Median (min)', p50], ['95 % (min)', p95]],
  }),
  draw: ({ window, bins, p50, p95 }) => (
    <>
      <p class="wrap fine">
        {[['half', p50] as const, ['95 %', p95] as const].map(
          ([name, value]) =>
            value !== null && (
              <FigureButton key={name} figure="durations">
                {name} within <b>{spanText(value)}</b>
              </FigureButton>
            ),
        )}
      </p>
      <BarRows
        rows={bins.map((bin) => ({
          key: bin.label,
          name: `${binLabel(bin)} min`,
          count: bin.count,
          to: windowRows(window),
        }))}
      />
    </>
  ),
};

function binLabel({ lower_minutes, upper_minutes }: DurationHistogramReport['bins'][number]): string {
  return upper_minutes === null ? `${lower_minutes}+` : `${lower_minutes}–${upper_minutes}`;
}

/** The CSV file has every deployer in the response. */
const drawnMax = 10;

export const deployersChart: Chart<TopDeployersReport> = {
  title: 'Deployers',
  says: `Events of any status by actor. "${unknownActor}" means events without an actor; it has no link.`,
  none: ({ deployers }) => (deployers.length > 0 ? undefined : 'No deployments in this period.'),
  csv: ({ deployers }) => ({ head: ['Actor', 'Events'], rows: deployers.map(({ actor, count }) => [actor, count]) }),
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

interface BarRow {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly count: number;
  readonly note?: string | undefined;
  /** The address that lists the events of the bar; `undefined` if they can't be listed. */
  readonly to: Partial<Address> | undefined;
}

function BarRows({ rows }: { readonly rows: readonly BarRow[] }) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul>
      {rows.map(({ key, name, count, note, to }) => (
        <li key={key}>
          <RowsLink class={`bar-row plain-link ${note === undefined ? '' : 'noted'}`} to={to}>
            <span class="shrink">{name}</span>
            <span class="bar-track">
              {count > 0 && <span class="bar-fill" style={{ width: `${Math.max((count / greatest) * 100, 1)}%` }} />}
            </span>
            <span class="right">{count.toLocaleString('en')}</span>
            {note !== undefined && <span class="right nowrap soft">{note}</span>}
          </RowsLink>
        </li>
      ))}
    </ul>
  );
}
