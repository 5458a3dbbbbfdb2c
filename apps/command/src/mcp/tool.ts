import type { Client } from '@shiplog/client';
import type { EvidenceFigure, FindingKind, Status } from '@shiplog/contract';
import { usageFailure } from '../failure.ts';
import type { Answer } from './answer.ts';

export interface Log {
  readonly client: Client;
  readonly url: string;
}

/** A tool: its description, the JSON Schema of its arguments, and the function that answers a valid call. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: (given: Given, log: Log, signal: AbortSignal) => Promise<Answer>;
}

export interface Given {
  readonly services?: string[];
  readonly environments?: string[];
  readonly teams?: string[];
  readonly failed_only?: boolean;
  readonly service?: string;
  readonly environment?: string;
  readonly from?: string;
  readonly to?: string;
  readonly q?: string;
  readonly at?: string;
  readonly version?: string;
  readonly upcoming_hours?: number;
  readonly soak_minutes?: number;
  readonly refuse_open_failures?: boolean;
  readonly period?: string;
  readonly evidence?: EvidenceFigure;
  readonly kind?: FindingKind[];
  readonly state?: Status[];
  readonly net?: boolean;
  readonly limit?: number;
  readonly cursor?: string;
}

export const cursor = { type: 'string', maxLength: 2000, description: 'The `next_cursor` of the previous answer.' };
export const limit = (maximum: number, standard: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: standard,
  description: 'The maximum number of items. Fewer are returned if they are large.',
});
export const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

export const name = (description: string, maxLength = 128) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const nameList = (description: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 100,
  description,
});
export const globList = (what: string) =>
  nameList(`Returns only ${what} that match. * matches any characters, and ? matches one. Defaults to all.`);
export const teamList = nameList('Also includes the services of these teams (exact names).');
export const scope = { services: globList('services'), environments: globList('environments'), teams: teamList };

export function scopeOf({ services, environments, teams }: Given) {
  return { services, environments, teams };
}

export function scopeInLink({ services, environments, teams }: Given) {
  return { service: services, environment: environments, teams };
}

/** Returns a page of items. If they don't all fit, a shorter page is requested to get its cursor. */
export async function paged<Item>(
  page: (limit: number) => Promise<{ readonly items: readonly Item[]; readonly next_cursor: string | null }>,
  limit: number,
): Promise<{ readonly items: readonly Item[]; readonly next: Answer['next'] }> {
  const { items, next_cursor } = await page(limit);
  return {
    items,
    next: async (shown) => (shown < items.length ? (await page(shown)).next_cursor : next_cursor) ?? undefined,
  };
}

/** Encodes the sort key of an item, such as its names, as a cursor, so that an assistant returns it unchanged. */
export function cursorOf(key: readonly string[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

export function keyIn(text: string, length: number): readonly string[] {
  try {
    const key: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(key) && key.length === length && key.every((one) => typeof one === 'string')) return key;
  } catch {}
  throw usageFailure('cursor must be the next_cursor of a previous answer of this tool.');
}
