import { statuses } from '@shiplog/contract';
import type { DigestMessage, EventMessage, Message } from './message.ts';
import { type Escape, linkOf, shown } from './shown.ts';

/** A message in words. What comes from events is escaped; the rest is text without marks. */
export interface Wording {
  readonly headline: string;
  /** More about it, a line each. */
  readonly lines: readonly string[];
  /** Where the run is. */
  readonly link?: string;
}

export function wordingOf(message: Message, spell: Escape): Wording {
  if (message.kind === 'deployment') return eventWording(message, spell);
  if (message.kind === 'digest') return digestWording(message);
  return {
    headline: 'This is a test of Shiplog',
    lines: ['Nothing was deployed. News of deployments come here.'],
  };
}

/** All of it on one line, without the link. */
export function plainLine({ headline, lines }: Wording): string {
  return [headline, ...lines].join('; ');
}

function eventWording({ event, isStuck, team }: EventMessage, spell: Escape): Wording {
  const { service, environment, status, actor, happened_at, run_url } = event;
  const link = linkOf(run_url);
  const release = releaseOf(event);
  const what = [shown(service, spell), ...(release === '' ? [] : [shown(release, spell)])].join(' ');
  const stuck = isStuck ? ' and does not end' : '';
  return {
    headline: `${what} in ${shown(environment, spell)}: ${status}${stuck}`,
    lines: [
      ...(actor ? [`by ${shown(actor, spell)}`] : []),
      ...(team === '' ? [] : [`team ${shown(team, spell)}`]),
      `at ${happened_at}`,
    ],
    ...(link !== undefined && { link }),
  };
}

function digestWording({ count, statuses: counts, firstId, lastId }: DigestMessage): Wording {
  const told = statuses.flatMap((status) => (counts[status] ? [`${counts[status]} ${status}`] : []));
  return {
    headline: `${counted(count, 'deployment')}: ${told.join(', ')}`,
    lines: ['Too many or too old to be told one by one.', `The events ${firstId} to ${lastId} of the log.`],
  };
}

/** The version, else the beginning of the sha; empty where the row has neither. */
export function releaseOf({ version, sha }: EventMessage['event']): string {
  return version || (sha ?? '').slice(0, 7);
}

/** "1 message", "2 messages". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
