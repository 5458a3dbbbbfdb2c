import type { DeploymentEvent } from '@shiplog/contract';
import type { Message } from './message.ts';
import { linkOf, plain } from './shown.ts';
import { plainLine, wordingOf } from './wording.ts';

const eventMembers = [
  ...['id', 'deployment_id', 'service', 'environment', 'version', 'status', 'happened_at', 'run_url', 'run_number'],
  ...['actor', 'ref', 'sha', 'parent_deployments', 'progress_reporter'],
] as const;

/** What the templates of a webhook may name (relay §9.2). */
export const variableNames: readonly string[] = [...eventMembers, 'sha7', 'team', 'kind', 'count', 'text'];

/** A test has no event. Its service says what it is also where a template names neither `text` nor `kind` (relay §9.13). */
const testMembers: Readonly<Record<string, string>> = { service: 'test' };

/** The values of a message; empty where it has none. */
export function variablesOf(message: Message): (name: string) => string {
  const common: Readonly<Record<string, string>> = {
    kind: message.kind,
    text: plainLine(wordingOf(message, plain)),
    count: message.kind === 'digest' ? String(message.count) : '1',
    id: message.id,
  };
  const values: Readonly<Record<string, string>> = { ...common, ...ownVariables(message) };
  return (name) => (Object.hasOwn(values, name) ? (values[name] ?? '') : '');
}

function ownVariables(message: Message): Readonly<Record<string, string>> {
  if (message.kind === 'deployment') return eventVariables(message.event, message.team);
  return message.kind === 'test' ? testMembers : {};
}

function eventVariables(event: DeploymentEvent, team: string): Record<string, string> {
  const members = Object.entries(event).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]);
  const link = linkOf(event.run_url) === undefined ? '' : (event.run_url ?? '');
  return { ...Object.fromEntries(members), sha7: (event.sha ?? '').slice(0, 7), team, run_url: link };
}
