import { type DeploymentEvent, statuses } from '@shiplog/contract';
import { holdReason, pluralize, releaseName } from '@shiplog/text';
import type { DigestMessage, EventMessage, Message } from './message.ts';
import { isNews, type NewsMessage } from './news.ts';
import { type Escape, linkOf, shown } from './shown.ts';

/** A message in words. Text from events is escaped; all other text contains no markup. */
export interface Wording {
  readonly headline: string;
  /** Details, line by line. */
  readonly lines: readonly string[];
  readonly links: readonly Link[];
}

export interface Link {
  readonly title: 'Run' | 'Shiplog';
  readonly url: string;
}

export function wordingOf(message: Message, escapeCharacter: Escape): Wording {
  const run = message.kind === 'deployment' ? linkOf(message.event.run_url) : undefined;
  const { shiplogUrl } = message;
  const links: Link[] = [
    ...(run === undefined ? [] : [{ title: 'Run', url: run } as const]),
    ...(shiplogUrl === undefined ? [] : [{ title: 'Shiplog', url: shiplogUrl } as const]),
  ];
  return { ...wordsOf(message, escapeCharacter), links };
}

function wordsOf(message: Message, escapeCharacter: Escape): Omit<Wording, 'links'> {
  if (message.kind === 'deployment') return eventWords(message, escapeCharacter);
  if (message.kind === 'digest') return digestWords(message, escapeCharacter);
  if (isNews(message)) return newsWords(message, escapeCharacter);
  return { headline: 'This is a test of Shiplog', lines: ['Nothing was deployed. Deployment news appears here.'] };
}

export function plainLine({ headline, lines }: Wording): string {
  return [headline, ...lines].join('; ');
}

function eventWords(
  { event, isStuck, isRecovery, team }: EventMessage,
  escapeCharacter: Escape,
): Omit<Wording, 'links'> {
  const { environment, status, actor, happened_at } = event;
  const more = isStuck ? ' and does not end' : isRecovery ? ', recovered from a failure' : '';
  return {
    headline: `${releaseIn(event, escapeCharacter)} in ${shown(environment, escapeCharacter)}: ${status}${more}`,
    lines: [
      ...(actor ? [`by ${shown(actor, escapeCharacter)}`] : []),
      ...(team === '' ? [] : [`team ${shown(team, escapeCharacter)}`]),
      `at ${happened_at}`,
    ],
  };
}

function digestWords(digest: DigestMessage, escapeCharacter: Escape): Omit<Wording, 'links'> {
  const { count, statuses: counts, places, failures, firstId, lastId } = digest;
  const told = statuses.flatMap((status) => (counts[status] ? [`${counts[status]} ${status}`] : []));
  const named = places.map(({ service, environment, count: own }) => ({
    text: `${shown(service, escapeCharacter)} in ${shown(environment, escapeCharacter)}${own > 1 ? ` (${own})` : ''}`,
    count: own,
  }));
  const failed = failures.map((event) => ({
    text: `${releaseIn(event, escapeCharacter)} in ${shown(event.environment, escapeCharacter)}`,
    count: 1,
  }));
  return {
    headline: `${pluralize(count, 'deployment')}: ${told.join(', ')}`,
    lines: [
      ...(failed.length > 0 ? [`Failed: ${listed(failed, counts.failure ?? 0)}`] : []),
      ...(named.length > 0 ? [listed(named, count)] : []),
      'Combined because there were too many in a minute, or because they are old.',
      `Events ${firstId} to ${lastId}.`,
    ],
  };
}

function newsWords({ kind, at, content }: NewsMessage, escapeCharacter: Escape): Omit<Wording, 'links'> {
  const show = (text: string) => shown(text, escapeCharacter);
  const { deployment } = content;
  const what = deployment && `${releaseIn(deployment, escapeCharacter)} in ${show(deployment.environment)}`;
  const who = deployment?.actor ? ` by ${show(deployment.actor)}` : '';
  if ('hold' in content) {
    const { hold } = content;
    const place = `${show(hold.services.join(', '))} in ${show(hold.environments.join(', '))}`;
    const reason = show(holdReason(hold, (instant) => instant));
    if (kind === 'breach') return { headline: `${what ?? place} despite a hold${who}`, lines: [reason, `at ${at}`] };
    const headline = kind === 'hold-begins' ? `Hold on ${place}: ${reason}` : `No longer held: ${place}`;
    return { headline, lines: [...(kind === 'hold-ends' ? [reason] : []), `at ${at}`] };
  }
  const { services, environments, severity, title, links, outage_id, minutes } = content.outage;
  const place = [
    services?.length ? ` of ${services.join(', ')}` : '',
    environments?.length ? ` in ${environments.join(', ')}` : '',
  ];
  const state = kind === 'outage-opened' ? 'Outage' : 'Resolved: outage';
  const rule = links[0]?.rule === 'named' ? 'caused by' : 'suspected';
  return {
    headline: `${state}${show(place.join(''))}: ${show(title ?? outage_id)}`,
    lines: [
      ...(severity === null ? [] : [`severity ${show(severity)}`]),
      ...(what === undefined ? [] : [`${rule}: ${what}${who}, at ${deployment?.happened_at}`]),
      ...(kind === 'outage-resolved' && minutes !== null ? [`after ${pluralize(Math.round(minutes), 'minute')}`] : []),
      `at ${at}`,
    ],
  };
}

/** Chosen so that a digest of the longest names stays within every target's limits. */
const listCharactersMax = 900;

/** Lists items up to the limit, followed by the number of remaining deployments. */
function listed(items: readonly { readonly text: string; readonly count: number }[], total: number): string {
  let [line, left] = ['', total];
  for (const { text, count } of items) {
    if (line.length + text.length > listCharactersMax) break;
    line += `${line === '' ? '' : ', '}${text}`;
    left -= count;
  }
  return left > 0 ? `${line} and ${left} more` : line;
}

function releaseIn(event: DeploymentEvent, escapeCharacter: Escape): string {
  const release = releaseName(event);
  return [event.service, ...(release === '' ? [] : [release])].map((text) => shown(text, escapeCharacter)).join(' ');
}
