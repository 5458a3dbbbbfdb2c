import {
  type ConfigNode,
  compileTemplate,
  signingKey,
  type Template,
  textThat,
  variableName,
} from '@shiplog/component';
import { type Status, statuses } from '@shiplog/contract';
import type { ToolWebhook } from '../adapter.ts';
import { hookSecretMin, signingTokenForm } from '../settings.ts';
import type { IssueSettings } from './issues.ts';
import { type OutageHook, readOutageHook } from './outage-hooks.ts';
import { pointerNames, pointerPattern } from './pointers.ts';

/** How deliveries are authenticated (fetcher §15.9); `secretEnv` is the variable with the secret. */
export type WebhookAuth =
  | { readonly type: 'token'; readonly header: string; readonly secretEnv: string }
  | { readonly type: 'basic'; readonly user: string; readonly secretEnv: string }
  | {
      readonly type: 'hmac-sha256';
      readonly header: string;
      readonly secretEnv: string;
      readonly encoding: 'hex' | 'base64';
      /** Precedes the signature in the header; may be empty. */
      readonly prefix: string;
    }
  | { readonly type: 'standard-webhooks'; readonly secretEnv: string }
  | { readonly type: 'pagerduty'; readonly secretEnv: string };

const requiredFields = ['deployment_id', 'service', 'environment', 'status', 'happened_at'] as const;
const optionalFields = ['version', 'run_url', 'run_number', 'actor', 'ref', 'sha'] as const;
type RequiredField = (typeof requiredFields)[number];
type OptionalField = (typeof optionalFields)[number];

export type EventTemplates = Readonly<Record<RequiredField, Template>> &
  Readonly<Partial<Record<OptionalField, Template>>>;

/** How an item of a webhook becomes an event. */
export interface EventHook {
  readonly templates: EventTemplates;
  /** The status for each value of the template `status`; items with other values are ignored. */
  readonly statuses: ReadonlyMap<string, Status>;
}

/** How the bodies of a generic webhook become events or outages (fetcher §11.4). */
export interface GenericHook {
  /** Accepted values by JSON Pointer, relative to the item. */
  readonly when: ReadonlyMap<string, readonly string[]>;
  /** A JSON Pointer to an array; if empty, the body is the only item. */
  readonly items: string;
  readonly content: { readonly event: EventHook } | { readonly outage: OutageHook };
}

export interface WebhookEntry {
  /** The last segment of its path, `/webhooks/<name>`. */
  readonly name: string;
  readonly auth: WebhookAuth;
  /** Absent for `cdevents`, which has a fixed format. */
  readonly generic?: GenericHook;
  readonly line: number;
}

export interface HookSettings {
  readonly tools: readonly { readonly webhook: ToolWebhook; readonly values: unknown }[];
  readonly entries: readonly WebhookEntry[];
  readonly issues: IssueSettings | undefined;
  /** The value of an environment variable; `undefined` if it isn't set. */
  secretOf(variable: string): string | undefined;
}

const namePattern = /^[a-z0-9-]{1,64}$/;
const cdevents = 'cdevents';
const contentMembers = ['when', 'items', 'event', 'statuses', 'format', 'outage', 'states'] as const;

/** @param toolNames the names of the tools' own webhooks, which are configured by settings */
export function readWebhooks(node: ConfigNode, toolNames: readonly string[]): WebhookEntry[] {
  const names = new Set<string>();
  return node.items().flatMap((item) => {
    const members = item.members(['name', 'auth', ...contentMembers]);
    if (!members) return [];
    if (!members.name) item.refuse('needs a name');
    const name = textThat(
      members.name,
      (text) => namePattern.test(text),
      'must be 1 to 64 characters long and contain only a-z, 0-9 and -',
    );
    if (name !== undefined && toolNames.includes(name)) members.name?.refuse('is configured by environment variables');
    if (name !== undefined && names.has(name)) members.name?.refuse('is the name of another webhook');
    names.add(name ?? '');
    if (!members.auth) item.refuse('needs auth, which authenticates deliveries');
    const auth = members.auth && readAuth(members.auth);
    const isGeneric = name !== cdevents;
    const generic = isGeneric ? readGeneric(item, members) : undefined;
    for (const key of isGeneric ? [] : contentMembers) {
      members[key]?.refuse(`does not belong to the webhook "${cdevents}", which has only name and auth`);
    }
    if (name === undefined || !auth || (isGeneric && !generic)) return [];
    return [{ name, auth, ...(generic && { generic }), line: item.line }];
  });
}

const authTypes = ['token', 'basic', 'hmac-sha256', 'standard-webhooks', 'pagerduty'] as const;
const headerPattern = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const userPattern = /^[^:\p{Cc}]+$/u;

function readAuth(node: ConfigNode): WebhookAuth | undefined {
  const type = typeOf(node);
  if (type === undefined) return undefined;
  const members = node.members(authMembers[type]);
  if (!members) return undefined;
  const need = (key: 'header' | 'user' | 'secret_env') => {
    if (!members[key]) node.refuse(`needs ${key}`);
    return members[key];
  };
  const secretEnv = variableName(need('secret_env'));
  if (type === 'standard-webhooks' || type === 'pagerduty')
    return secretEnv === undefined ? undefined : { type, secretEnv };
  if (type === 'basic') {
    const user = textThat(need('user'), (text) => userPattern.test(text), 'must be a user name without ":"');
    return user === undefined || secretEnv === undefined ? undefined : { type, user, secretEnv };
  }
  const header = textThat(need('header'), (text) => headerPattern.test(text), 'must be a header name');
  if (type === 'token')
    return header === undefined || secretEnv === undefined ? undefined : { type, header, secretEnv };
  const encoding = textThat(members.encoding, (text) => text === 'hex' || text === 'base64', 'must be hex or base64');
  const prefix = members.prefix?.value === '' ? '' : (members.prefix?.text() ?? '');
  if (header === undefined || secretEnv === undefined) return undefined;
  return { type, header, secretEnv, encoding: encoding === 'base64' ? 'base64' : 'hex', prefix };
}

type AuthMember = 'type' | 'header' | 'user' | 'secret_env' | 'encoding' | 'prefix';
const authMembers: Readonly<Record<(typeof authTypes)[number], readonly AuthMember[]>> = {
  token: ['type', 'header', 'secret_env'],
  basic: ['type', 'user', 'secret_env'],
  'hmac-sha256': ['type', 'header', 'secret_env', 'encoding', 'prefix'],
  'standard-webhooks': ['type', 'secret_env'],
  pagerduty: ['type', 'secret_env'],
};

function typeOf(node: ConfigNode): (typeof authTypes)[number] | undefined {
  const member = node.entries().find(([name]) => name === 'type')?.[1];
  const type = authTypes.find((one) => one === member?.value);
  if (type === undefined) (member ?? node).refuse(`needs ${member ? '' : 'a type, '}one of ${authTypes.join(', ')}`);
  return type;
}

type GenericMembers = Readonly<Partial<Record<(typeof contentMembers)[number], ConfigNode>>>;

function readGeneric(node: ConfigNode, members: GenericMembers): GenericHook | undefined {
  const isOutage = members.format !== undefined || members.outage !== undefined;
  for (const key of isOutage ? (['event', 'statuses'] as const) : [])
    members[key]?.refuse('does not belong to a webhook about outages, which has outage and states');
  const outage = isOutage ? readOutageHook(node, members) : undefined;
  const event = isOutage ? undefined : readEventHook(node, members);
  const when = new Map<string, readonly string[]>();
  for (const [pointer, member] of members.when?.entries() ?? []) {
    if (!pointerPattern.test(pointer)) member.refuse('is not a JSON Pointer such as /phase');
    when.set(pointer, member.texts());
  }
  const isWhole = members.items === undefined || members.items.value === '';
  const items = isWhole
    ? undefined
    : textThat(members.items, (text) => pointerPattern.test(text), 'must be a JSON Pointer');
  const content = outage ? { outage } : event && { event };
  return content && { when, items: items ?? outage?.items ?? '', content };
}

function readEventHook(node: ConfigNode, members: GenericMembers): EventHook | undefined {
  for (const key of ['event', 'statuses'] as const) if (!members[key]) node.refuse(`needs ${key}`);
  members.states?.refuse('belongs to a webhook about outages; write statuses');
  const templates = members.event && readEvent(members.event);
  const named = new Map<string, Status>();
  for (const [name, member] of members.statuses?.entries() ?? []) {
    const status = statuses.find((one) => one === member.value);
    if (status === undefined) member.refuse(`must be one of ${statuses.join(', ')}`);
    else named.set(name, status);
  }
  return templates && { templates, statuses: named };
}

function readEvent(node: ConfigNode): EventTemplates | undefined {
  const members = node.members([...requiredFields, ...optionalFields]);
  if (!members) return undefined;
  const templates: Partial<Record<RequiredField | OptionalField, Template>> = {};
  for (const field of [...requiredFields, ...optionalFields]) {
    const text = members[field]?.text();
    const template = text === undefined ? undefined : members[field]?.judge(() => compileTemplate(text, pointerNames));
    if (template) templates[field] = template;
  }
  const missing = requiredFields.filter((field) => !members[field]);
  if (missing.length > 0) node.refuse(`needs ${missing.join(', ')}`);
  return requiredFields.every((field) => templates[field]) ? (templates as EventTemplates) : undefined;
}

/**
 * Describes the error if the secret of a webhook in the configuration file is missing or invalid; otherwise
 * `undefined`.
 */
export function secretMistake({ name, auth }: WebhookEntry, secret: string | undefined): string | undefined {
  if (secret === undefined || secret.length < hookSecretMin) {
    const lack = secret === undefined ? 'is not set' : 'is too short';
    return `${auth.secretEnv} ${lack}. The webhook "${name}" needs a secret of at least ${hookSecretMin} characters in it.`;
  }
  const isBad = auth.type === 'standard-webhooks' && signingKey(secret) === undefined;
  return isBad ? `${auth.secretEnv} is not acceptable; it must be ${signingTokenForm}.` : undefined;
}
