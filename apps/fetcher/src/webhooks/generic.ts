import { type DeploymentEventIngest, type FieldError, parseInstant } from '@shiplog/contract';
import { invalid } from '@shiplog/server';
import type { Json } from '../change.ts';
import type { EventTemplates, GenericHook } from '../config/webhooks.ts';
import { scalarText } from '../domain/variables.ts';
import type { Result } from '../sources/publisher.ts';
import { malformed } from '../tool/delivery.ts';
import { pointerValue } from './delivery-item.ts';

/** Why a matching item doesn't become an event: unknown status, or no service or environment (§3.3). */
export type LeftOut = Extract<Result, 'unknown_status' | 'unmapped'>;

export interface GenericReading {
  readonly events: readonly DeploymentEventIngest[];
  /** The number of items that don't match `when` or are left out. */
  readonly ignored: number;
  readonly leftOut: readonly LeftOut[];
}

/** Reads the events in a body (fetcher §11.4). @throws Problem with all errors if an item has no id or no time */
export function readGeneric(hook: GenericHook, body: Json): GenericReading {
  const items = itemsOf(hook, body);
  // A body without the array is of another kind, as if `when` didn't match.
  if (items === undefined) return { events: [], ignored: 1, leftOut: [] };
  const events: DeploymentEventIngest[] = [];
  const leftOut: LeftOut[] = [];
  const faults: FieldError[] = [];
  for (const [index, item] of items.entries()) {
    const resolve = (pointer: string) => scalarText(pointerValue(item, pointer));
    if (![...hook.when].every(([pointer, texts]) => texts.includes(resolve(pointer)))) continue;
    const status = hook.statuses.get(hook.event.status.fill(resolve));
    const [service, environment] = [hook.event.service.fill(resolve), hook.event.environment.fill(resolve)];
    const itemPointer = hook.items === '' ? '' : `${hook.items}/${index}`;
    if (status === undefined) leftOut.push('unknown_status');
    else if (service === '' || environment === '') leftOut.push('unmapped');
    else events.push({ ...factsOf(hook.event, resolve, itemPointer, faults), service, environment, status });
  }
  if (faults.length > 0) throw invalid(faults);
  return { events, ignored: items.length - events.length, leftOut };
}

function itemsOf({ items }: GenericHook, body: Json): readonly Json[] | undefined {
  if (items === '') return [body];
  const found = pointerValue(body, items);
  if (found === undefined || Array.isArray(found)) return found;
  throw malformed(items, 'must be an array');
}

type Required = 'deployment_id' | 'happened_at';
const optional = ['version', 'run_url', 'run_number', 'actor', 'ref', 'sha'] as const;

/** The members of an event other than its slot and status. */
function factsOf(
  templates: EventTemplates,
  resolve: (pointer: string) => string,
  itemPointer: string,
  faults: FieldError[],
): Omit<DeploymentEventIngest, 'service' | 'environment' | 'status'> {
  const need = (field: Required) => {
    const text = templates[field].fill(resolve);
    if (text === '') faults.push(faultOf(templates, field, itemPointer, 'is empty'));
    return text;
  };
  const at = need('happened_at');
  const happenedAt = at === '' ? '' : rfc3339Of(at);
  if (happenedAt === undefined) faults.push(faultOf(templates, 'happened_at', itemPointer, 'is not a valid time'));
  const given = optional.flatMap((field) => {
    const text = templates[field]?.fill(resolve);
    return text ? [[field, text] as const] : [];
  });
  return {
    deployment_id: need('deployment_id'),
    happened_at: happenedAt ?? '',
    ...Object.fromEntries(given),
  };
}

/** Reports an error at the first pointer in the template. */
function faultOf(templates: EventTemplates, field: Required, itemPointer: string, what: string): FieldError {
  return { pointer: itemPointer + (templates[field].names[0] ?? ''), message: `${what} (used for ${field})` };
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
