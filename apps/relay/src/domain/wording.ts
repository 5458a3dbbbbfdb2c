import { type DeploymentEvent, statuses } from '@shiplog/contract';
import type { DigestMessage, EventMessage, Message } from './message.ts';
import { type Escape, linkOf, shown } from './shown.ts';

/** A message in words. What comes from events is escaped; the rest is text without marks. */
export interface Wording {
  readonly headline: string;
  /** More about it, a line each. */
  readonly lines: readonly string[];
  /** Where more is: the run, and the page of Shiplog. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly title: 'Run' | 'Shiplog';
  readonly url: string;
}

export function wordingOf(message: Message, spell: Escape): Wording {
  const run = message.kind === 'deployment' ? linkOf(message.event.run_url) : undefined;
  const { shiplogUrl } = message;
  const links: Link[] = [
    ...(run === undefined ? [] : [{ title: 'Run', url: run } as const]),
    ...(shiplogUrl === undefined ? [] : [{ title: 'Shiplog', url: shiplogUrl } as const]),
  ];
  return { ...wordsOf(message, spell), links };
}

function wordsOf(message: Message, spell: Escape): Omit<Wording, 'links'> {
  if (message.kind === 'deployment') return eventWords(message, spell);
  if (message.kind === 'digest') return digestWords(message, spell);
  return { headline: 'This is a test of Shiplog', lines: ['Nothing was deployed. Deployment news appears here.'] };
}

/** All of it on one line, without the link. */
export function plainLine({ headline, lines }: Wording): string {
  return [headline, ...lines].join('; ');
}

function eventWords({ event, isStuck, isRecovery, team }: EventMessage, spell: Escape): Omit<Wording, 'links'> {
  const { environment, status, actor, happened_at } = event;
  const more = isStuck ? ' and does not end' : isRecovery ? ', recovered from a failure' : '';
  return {
    headline: `${releaseIn(event, spell)} in ${shown(environment, spell)}: ${status}${more}`,
    lines: [
      ...(actor ? [`by ${shown(actor, spell)}`] : []),
      ...(team === '' ? [] : [`team ${shown(team, spell)}`]),
      `at ${happened_at}`,
    ],
  };
}

function digestWords(digest: DigestMessage, spell: Escape): Omit<Wording, 'links'> {
  const { count, statuses: counts, places, failures, firstId, lastId } = digest;
  const told = statuses.flatMap((status) => (counts[status] ? [`${counts[status]} ${status}`] : []));
  const named = places.map(({ service, environment, count: own }) => ({
    text: `${shown(service, spell)} in ${shown(environment, spell)}${own > 1 ? ` (${own})` : ''}`,
    count: own,
  }));
  const failed = failures.map((event) => ({
    text: `${releaseIn(event, spell)} in ${shown(event.environment, spell)}`,
    count: 1,
  }));
  return {
    headline: `${counted(count, 'deployment')}: ${told.join(', ')}`,
    lines: [
      ...(failed.length > 0 ? [`Failed: ${listed(failed, counts.failure ?? 0)}`] : []),
      ...(named.length > 0 ? [listed(named, count)] : []),
      'In one message because they were too many in a minute or are old.',
      `Events ${firstId} to ${lastId}.`,
    ],
  };
}

/** So long that a digest of the longest names keeps to the limits of each target. */
const listCharactersMax = 900;

/** As many of them as there is room for, and how many deployments are left. */
function listed(items: readonly { readonly text: string; readonly count: number }[], total: number): string {
  let [line, left] = ['', total];
  for (const { text, count } of items) {
    if (line.length + text.length > listCharactersMax) break;
    line += `${line === '' ? '' : ', '}${text}`;
    left -= count;
  }
  return left > 0 ? `${line} and ${left} more` : line;
}

function releaseIn(event: DeploymentEvent, spell: Escape): string {
  const release = releaseOf(event);
  return [event.service, ...(release === '' ? [] : [release])].map((text) => shown(text, spell)).join(' ');
}

/** The version, else the beginning of the sha; empty where the row has neither. */
export function releaseOf({ version, sha }: EventMessage['event']): string {
  return version || (sha ?? '').slice(0, 7);
}

/** "1 message", "2 messages". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
