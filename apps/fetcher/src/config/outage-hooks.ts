import { type ConfigNode, compileTemplate, type Template } from '@shiplog/component';
import { type OutageRequest, outageStates } from '@shiplog/contract';
import { pointerNames } from './pointers.ts';

const requiredFields = ['outage_id', 'state', 'happened_at'] as const;
const optionalFields = ['resolved_at', 'severity', 'title', 'url'] as const;
const listFields = ['services', 'environments'] as const;
type RequiredField = (typeof requiredFields)[number];
type OptionalField = (typeof optionalFields)[number];
type ListField = (typeof listFields)[number];

/**
 * The members of a row about an outage. `resolved_at` replaces `happened_at` in rows that end an outage. The template
 * of a list may name an array.
 */
export type OutageTemplates = Readonly<Record<RequiredField, Template>> &
  Readonly<Partial<Record<OptionalField, Template>>> &
  Readonly<Partial<Record<ListField, readonly Template[]>>>;

export type OutageState = OutageRequest['state'];

/** How an item of a webhook becomes a row about an outage (outages.md 4). */
export interface OutageHook {
  readonly templates: OutageTemplates;
  /** The state for each value of the template `state`; items with other values are ignored. */
  readonly states: ReadonlyMap<string, OutageState>;
}

type Texts = Readonly<Record<RequiredField, string>> & Readonly<Partial<Record<OptionalField | ListField, string>>>;

interface OutageFormat {
  /** A JSON Pointer to an array; if empty, the body is the only item. */
  readonly items: string;
  readonly texts: Texts;
  readonly states: Readonly<Record<string, OutageState>>;
  /** Whether the file must say which items are outages. */
  readonly needsWhen: boolean;
}

/** The first of the incidents that an incident.io event may contain. */
const ofIncident = (path: string) =>
  `{${[
    `/public_incident.incident_status_updated_v2/incident${path}`,
    `/public_incident.incident_created_v2${path}`,
    `/public_incident.incident_updated_v2${path}`,
  ].join('|')}}`;

/** The documented bodies of tools that send incidents and alerts. */
export const outageFormats: Readonly<Record<string, OutageFormat>> = {
  /** PagerDuty, webhooks v3. */
  pagerduty: {
    items: '',
    needsWhen: false,
    texts: {
      outage_id: '{/event/data/id}',
      state: '{/event/event_type}',
      happened_at: '{/event/occurred_at}',
      services: '{/event/data/service/summary}',
      severity: '{/event/data/priority/summary|/event/data/urgency}',
      title: '{/event/data/title}',
      url: '{/event/data/html_url}',
    },
    states: {
      'incident.triggered': 'opened',
      'incident.reopened': 'opened',
      'incident.resolved': 'resolved',
    },
  },
  /** incident.io, webhooks v2. An incident in triage is not an outage yet. */
  'incident-io': {
    items: '',
    needsWhen: false,
    texts: {
      outage_id: ofIncident('/id'),
      state: ofIncident('/incident_status/category'),
      happened_at: ofIncident('/created_at'),
      resolved_at: ofIncident('/updated_at'),
      severity: ofIncident('/severity/name'),
      title: ofIncident('/name'),
      url: ofIncident('/permalink'),
    },
    states: {
      live: 'opened',
      learning: 'resolved',
      closed: 'resolved',
      declined: 'dismissed',
      merged: 'dismissed',
      canceled: 'dismissed',
    },
  },
  /** Alertmanager and Grafana alerting. */
  alertmanager: {
    items: '/alerts',
    needsWhen: true,
    texts: {
      outage_id: '{/fingerprint}-{/startsAt}',
      state: '{/status}',
      happened_at: '{/startsAt}',
      resolved_at: '{/endsAt}',
      services: '{/labels/service}',
      environments: '{/labels/environment|/labels/env}',
      severity: '{/labels/severity}',
      title: '{/annotations/summary|/labels/alertname}',
      url: '{/generatorURL}',
    },
    states: { firing: 'opened', resolved: 'resolved' },
  },
};

type Members = Readonly<Partial<Record<'format' | 'when' | 'items' | 'outage' | 'states', ConfigNode>>>;

/** Reads the outage part of an entry. `items` comes from its format. */
export function readOutageHook(
  node: ConfigNode,
  members: Members,
): (OutageHook & Pick<OutageFormat, 'items'>) | undefined {
  const format = members.format && readFormat(members.format);
  if (members.format && !format) return undefined;
  if (format?.needsWhen && !members.when) node.refuse('needs when: the labels of alerts that are outages');
  if (!format) for (const key of ['outage', 'states'] as const) if (!members[key]) node.refuse(`needs ${key}`);
  const given = members.outage ? readTemplates(members.outage) : {};
  const missing = requiredFields.filter((field) => !given[field] && !format);
  if (members.outage && missing.length > 0) members.outage.refuse(`needs ${missing.join(', ')}`);
  const templates = { ...(format && compiled(format.texts)), ...given };
  const states = new Map(Object.entries(format?.states ?? {}));
  for (const [name, member] of members.states?.entries() ?? []) {
    const state = outageStates.find((one) => one === member.value);
    if (state === undefined) member.refuse(`must be one of ${outageStates.join(', ')}`);
    else states.set(name, state);
  }
  if (!requiredFields.every((field) => templates[field])) return undefined;
  return { templates: templates as OutageTemplates, states, items: format?.items ?? '' };
}

function readFormat(node: ConfigNode): OutageFormat | undefined {
  const names = Object.keys(outageFormats);
  const name = names.find((one) => one === node.value);
  if (name === undefined) node.refuse(`must be one of ${names.join(', ')}`);
  return name === undefined ? undefined : outageFormats[name];
}

function readTemplates(node: ConfigNode): Partial<OutageTemplates> {
  const members = node.members([...requiredFields, ...optionalFields, ...listFields]) ?? {};
  const template = (at: ConfigNode): Template[] => {
    const text = at.text();
    const made = text === undefined ? undefined : at.judge(() => compileTemplate(text, pointerNames));
    return made ? [made] : [];
  };
  const texts = [...requiredFields, ...optionalFields].flatMap((field) => {
    const [made] = members[field] ? template(members[field]) : [];
    return made ? [[field, made] as const] : [];
  });
  const lists = listFields.flatMap((field) => {
    const at = members[field];
    return at ? [[field, at.isList ? at.items().flatMap(template) : template(at)] as const] : [];
  });
  return Object.fromEntries([...texts, ...lists]);
}

function compiled(texts: Texts): OutageTemplates {
  const templates = Object.entries(texts).map(([field, text]) => {
    const template = compileTemplate(text, pointerNames);
    return [field, listFields.some((list) => list === field) ? [template] : template];
  });
  return Object.fromEntries(templates) as OutageTemplates;
}
