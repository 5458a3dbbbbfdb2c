import type { DeploymentEvent } from '@shiplog/contract';
import { statusLook } from '@shiplog/panels/files/marks.js';
import { pluralize, versionOf } from '@shiplog/text';
import { type Address, changesOf } from '../state/address.ts';

export interface Notice {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly opens: Partial<Address>;
}

/** The maximum number of events that get separate notifications. Other simultaneous events are only counted. */
const atOnceMax = 3;

export function noticesOf(events: readonly DeploymentEvent[]): Notice[] {
  const single = events.slice(0, atOnceMax).map((event) => {
    const { id, service, environment, actor } = event;
    const body = actor ? `by ${actor}` : '';
    return { title: titleOf(event), body, tag: id, opens: { slot: { service, environment } } };
  });
  const more = events.length - atOnceMax;
  if (more <= 0) return single;
  const title = pluralize(more, 'more deployment event');
  return [...single, { title, body: '', tag: events.at(-1)?.id ?? '', opens: changesOf({}) }];
}

function titleOf(event: DeploymentEvent): string {
  return `${event.service} ${versionOf(event)} ${statusLook(event.status)[1]} in ${event.environment}`;
}
