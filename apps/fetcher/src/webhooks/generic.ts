import type { Template } from '@shiplog/component';
import { type DeploymentEventIngest, type FieldError, type OutageRequest, parseInstant } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Json } from '../change.ts';
import type { OutageHook } from '../config/outage-hooks.ts';
import type { EventHook, GenericHook } from '../config/webhooks.ts';
import { scalarText } from '../domain/variables.ts';
import type { Result } from '../sources/publisher.ts';
import { malformed } from '../tool/delivery.ts';
import { pointerValue } from './delivery-item.ts';
import { outageRow } from './outage-row.ts';

/** Why a matching item doesn't become an event: unknown status or state, or no service or environment (§3.3). */
export type LeftOut = Extract<Result, 'unknown_status' | 'unmapped'>;

export interface GenericReading {
  readonly events: readonly DeploymentEventIngest[];
  readonly outages: readonly OutageRequest[];
  /** The number of items that don't match `when` or are left out. */
  readonly ignored: number;
  readonly leftOut: readonly LeftOut[];
}

/** Part of a body, with its location for error messages. */
interface Item {
  readonly value: Json;
  /** The text at a JSON Pointer into the item. */
  readonly resolve: (pointer: string) => string;
  readonly pointer: string;
  readonly faults: FieldError[];
}

/**
 * Reads the events or outages in the body of the webhook with this name (fetcher §11.4).
 * @throws Problem with all errors if an item has no id or no time
 */
export function readGeneric(name: string, { when, items: pointer, content }: GenericHook, body: Json): GenericReading {
  const values = itemsOf(pointer, body);
  const events: DeploymentEventIngest[] = [];
  const outages: OutageRequest[] = [];
  const leftOut: LeftOut[] = [];
  const faults: FieldError[] = [];
  for (const [index, value] of values?.entries() ?? []) {
    const resolve = (path: string) => scalarText(pointerValue(value, path));
    if (![...when].every(([path, texts]) => texts.includes(resolve(path)))) continue;
    const item = { value, resolve, pointer: pointer === '' ? '' : `${pointer}/${index}`, faults };
    const read = 'event' in content ? eventIn(item, content.event) : outageIn(item, content.outage, name);
    if (typeof read === 'string') leftOut.push(read);
    else if ('outage_id' in read) outages.push(read);
    else events.push(read);
  }
  if (faults.length > 0) throw invalid(faults);
  // A body without the array is of another kind, as if `when` didn't match.
  const count = values?.length ?? 1;
  return { events, outages, ignored: count - events.length - outages.length, leftOut };
}

function itemsOf(pointer: string, body: Json): readonly Json[] | undefined {
  if (pointer === '') return [body];
  const found = pointerValue(body, pointer);
  if (found === undefined || Array.isArray(found)) return found;
  throw malformed(pointer, 'must be an array');
}

const optional = ['version', 'run_url', 'run_number', 'actor', 'ref', 'sha'] as const;

function eventIn(item: Item, { templates, statuses }: EventHook): DeploymentEventIngest | LeftOut {
  const { resolve } = item;
  const status = statuses.get(templates.status.fill(resolve));
  const [service, environment] = [templates.service.fill(resolve), templates.environment.fill(resolve)];
  if (status === undefined) return 'unknown_status';
  if (service === '' || environment === '') return 'unmapped';
  const given = optional.flatMap((field) => {
    const text = templates[field]?.fill(resolve);
    return text ? [[field, text] as const] : [];
  });
  const happenedAt = instantIn(item, templates, 'happened_at');
  return {
    deployment_id: neededText(item, templates, 'deployment_id'),
    happened_at: happenedAt,
    ...Object.fromEntries(given),
    service,
    environment,
    status,
  };
}

/** Alerts that have not ended have an end in the year 1. */
const noEnd = /^0001-/;

function outageIn(item: Item, { templates, states }: OutageHook, name: string): OutageRequest | LeftOut {
  const { resolve } = item;
  const text = (field: 'severity' | 'title' | 'url' | 'resolved_at') => templates[field]?.fill(resolve) ?? '';
  const told = states.get(templates.state.fill(resolve));
  if (told === undefined) return 'unknown_status';
  const end = told === 'opened' ? '' : text('resolved_at');
  const state = noEnd.test(end) ? 'opened' : told;
  const names = (field: 'services' | 'environments') =>
    (templates[field] ?? []).flatMap((template) => namesIn(item, template));
  return outageRow(name, {
    id: neededText(item, templates, 'outage_id'),
    state,
    at: instantIn(item, templates, end === '' || state === 'opened' ? 'happened_at' : 'resolved_at'),
    services: names('services'),
    environments: names('environments'),
    severity: text('severity'),
    title: text('title'),
    url: text('url'),
  });
}

/** The names of a list; a template of a single pointer may name an array. */
function namesIn({ value, resolve }: Item, template: Template): string[] {
  const found = template.onlyName === undefined ? undefined : pointerValue(value, template.onlyName);
  return Array.isArray(found) ? found.map(scalarText) : [template.fill(resolve)];
}

type Templates = Readonly<Partial<Record<string, Template>>>;

/** Reports an error at the first pointer in the template if its text is empty. */
function neededText(item: Item, templates: object, field: string): string {
  const template = (templates as Templates)[field];
  const text = template?.fill(item.resolve) ?? '';
  if (text === '') item.faults.push(faultOf(item, template, `is empty (used for ${field})`));
  return text;
}

function instantIn(item: Item, templates: object, field: string): string {
  const text = neededText(item, templates, field);
  const instant = text === '' ? '' : rfc3339Of(text);
  if (instant === undefined) {
    item.faults.push(faultOf(item, (templates as Templates)[field], `is not a valid time (used for ${field})`));
  }
  return instant ?? '';
}

function faultOf({ pointer }: Item, template: Template | undefined, message: string): FieldError {
  return { pointer: pointer + (template?.names[0] ?? ''), message };
}

/** 9 to 11 digits are seconds (9 reach back to 1973); fewer are a year or a counter, more are milliseconds. */
const epochSeconds = /^(\d{9,11})(\.\d+)?$/;
const epochMilliseconds = /^\d{12,14}$/;
const rubyInstant = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:UTC|([+-]\d\d)(\d\d))$/;

/** Converts RFC 3339, seconds or milliseconds since 1970, or Ruby's format; `undefined` for other text. */
export function rfc3339Of(text: string): string | undefined {
  const [, seconds, fraction = ''] = epochSeconds.exec(text) ?? [];
  if (seconds !== undefined) return parseInstant(`${utcOf(Number(seconds) * 1000).slice(0, 19)}${fraction}Z`);
  if (epochMilliseconds.test(text)) return parseInstant(utcOf(Number(text)));
  const [, day, time, hours, minutes] = rubyInstant.exec(text) ?? [];
  if (day === undefined) return parseInstant(text);
  return parseInstant(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
}

function utcOf(ms: number): string {
  return new Date(ms).toISOString();
}
