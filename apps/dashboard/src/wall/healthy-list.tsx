import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { sizes, type WallPlan } from './fit.ts';
import { cutTo, type WidthOf } from './text-widths.ts';
import type { WallContent } from './wall-content.ts';
import { inside } from './wall-needs.ts';

interface HealthyProps {
  readonly content: WallContent;
  readonly plan: WallPlan;
  readonly widthOf: WidthOf;
  /** Shiplog's service is unreachable, so the listed services may no longer be healthy. */
  readonly isOut: boolean;
  /** The width of the wall, in units of its type size. */
  readonly wide: number;
}

/** The healthy services with their versions in production, or the number of healthy services by team. */
export function HealthyList(props: HealthyProps) {
  const { content, plan, isOut } = props;
  const { healthy } = content;
  if (healthy.length === 0) return null;
  const state = isOut ? `${healthy.length === 1 ? 'was' : 'were'} healthy` : 'healthy';
  if (plan.healthy === 'teams') return <Teams {...props} state={state} />;
  const production = content.columns.find(({ isLast }) => isLast)?.name ?? '';
  return (
    <section class="wall-well">
      <h2>
        <b>{healthy.length}</b> {state}
        <br />
        <span title={production}>In {cutTo(production, sizes.healthyHead - 1.5, 'bold', props.widthOf)}:</span>
      </h2>
      <Items {...props} />
    </section>
  );
}

function Items({ content, plan, widthOf, wide }: HealthyProps) {
  const { healthy } = content;
  const lines = Math.ceil(healthy.length / plan.listColumns);
  const between = sizes.healthyGap * (plan.listColumns - 1);
  const room = (wide / sizes.small - sizes.healthyHead - sizes.healthyGap - between) / plan.listColumns - inside.item;
  return (
    <ul
      style={{
        gridTemplateRows: `repeat(${lines}, auto)`,
        gridTemplateColumns: `repeat(${plan.listColumns}, minmax(0, 1fr))`,
      }}
    >
      {healthy.map(({ service, version }) => {
        const shown = version || '–';
        const versionRoom = Math.max(room - Math.min(inside.itemName, widthOf('sans', service)), 0);
        const text = cutTo(shown, versionRoom, 'mono', widthOf);
        return (
          <li key={service} class="row" title={`${service} ${shown}`}>
            <span class="row ok">
              <Mark shape="ok" />
            </span>
            <bdi>{cutTo(service, room - widthOf('mono', text), 'sans', widthOf)}</bdi>
            <bdi class="push wall-version">{text}</bdi>
          </li>
        );
      })}
    </ul>
  );
}

function Teams({ content, plan, state }: HealthyProps & { readonly state: string }) {
  const { healthy, teams } = content;
  const left = teams.slice(plan.teamsShown);
  return (
    <section class="wall-well teams">
      <h2>
        {healthy.length} {state}
        {teams.length > 0 ? ':' : '.'}
      </h2>
      {teams.slice(0, plan.teamsShown).map(({ name, count }) => (
        <span key={name}>
          <bdi>{name}</bdi> <b>{count}</b>
        </span>
      ))}
      {left.length > 0 && <span>{left.length} more teams</span>}
    </section>
  );
}
