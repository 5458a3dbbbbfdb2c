import type { DeploymentEvent, Status } from '@shiplog/contract';
import { releaseName } from '@shiplog/text';
import type { Output } from '../output.ts';

const styles: Readonly<Partial<Record<Status, Parameters<Output['styled']>[0]>>> = {
  success: 'green',
  failure: 'red',
  'in-progress': 'blue',
  rejected: 'red',
};

export function statusStyle(status: string): Parameters<Output['styled']>[0] {
  return styles[status as Status] ?? 'dim';
}

/** A number of minutes as a cell; empty if there is none. */
export function inMinutes(minutes: number | null): string {
  return minutes === null ? '' : `${Number(minutes.toPrecision(3))} min`;
}

/** An event as table cells: time, status, service, environment, release, actor and id. */
export function eventCells(event: DeploymentEvent): string[] {
  const { happened_at, status, service, environment, actor = '', id } = event;
  return [happened_at, status, service, environment, releaseName(event), actor, id];
}
