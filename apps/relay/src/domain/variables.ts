import type { DeploymentEvent } from '@shiplog/contract';
import type { Message } from './message.ts';
import { isNews, type NewsMessage } from './news.ts';
import { broken, linkOf, plain, plainLink, shownWhole } from './shown.ts';
import { plainLine, wordingOf } from './wording.ts';

const eventMembers = [
  ...['id', 'deployment_id', 'service', 'environment', 'version', 'status', 'happened_at', 'run_url', 'run_number'],
  ...['actor', 'ref', 'sha', 'parent_deployments', 'progress_reporter'],
] as const;

/** The names that webhook templates may use (relay §9.2). */
export const variableNames: readonly string[] = [
  ...[...eventMembers, 'sha7', 'team', 'kind', 'count', 'text', 'recovery', 'shiplog_url'],
];

/** A test has no event; its service marks it as a test in templates without `text` and `kind` (relay §9.13). */
const testMembers: Readonly<Record<string, string>> = { service: 'test' };

/** Variables that the relay writes; they contain no text from events. */
const own: readonly string[] = ['id', 'status', 'happened_at', 'kind', 'count', 'recovery', 'shiplog_url'];
const escapeCharacter = broken('<]');

/** The value of a name, empty if the message has none. `isRaw` returns it as it was posted, without escaping. */
export type Variables = (name: string, isRaw: boolean) => string;

/** The values of a message; event text in them can't mention anyone or contain links (relay §9.12). */
export function variablesOf(message: Message): Variables {
  const rawText = plainLine(wordingOf(message, plain));
  const values: Readonly<Record<string, string>> = {
    ...{ kind: message.kind, count: message.kind === 'digest' ? String(message.count) : '1', id: message.id },
    text: rawText,
    recovery: message.kind === 'deployment' && message.isRecovery ? 'recovery' : '',
    shiplog_url: message.shiplogUrl ?? '',
    ...ownVariables(message),
  };
  return (name, isRaw) => {
    const value = Object.hasOwn(values, name) ? (values[name] ?? '') : '';
    if (isRaw || value === '' || own.includes(name)) return value;
    if (name === 'text') return plainLine(wordingOf(message, escapeCharacter));
    return name === 'run_url' ? plainLink(value) : shownWhole(value, escapeCharacter);
  };
}

function ownVariables(message: Message): Readonly<Record<string, string>> {
  if (message.kind === 'deployment') return eventVariables(message.event, message.team);
  if (isNews(message)) return newsVariables(message);
  return message.kind === 'test' ? testMembers : {};
}

/** The deployment, if there is one, and what the news is about. */
function newsVariables({ services, environments, at, content }: NewsMessage): Record<string, string> {
  const event = content.deployment ? eventVariables(content.deployment, '') : ({} as Record<string, string>);
  const place = { service: services.join(', '), environment: environments.join(', ') };
  const { id: _, ...members } = event;
  return { ...place, ...members, happened_at: at };
}

function eventVariables(event: DeploymentEvent, team: string): Record<string, string> {
  const members = Object.entries(event).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  const link = linkOf(event.run_url) === undefined ? '' : (event.run_url ?? '');
  return { ...Object.fromEntries(members), sha7: (event.sha ?? '').slice(0, 7), team, run_url: link };
}
