import type { Client } from '@shiplog/client';
import type { EvidenceFigure, FindingKind } from '@shiplog/contract';
import type { Answer } from './answer.ts';

/** What tools ask. */
export interface Log {
  readonly client: Client;
  /** Where the service is; links begin with it. */
  readonly url: string;
}

/** A tool: what an assistant is told of it, the JSON Schema of its arguments, and its answer to valid ones. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly answer: (given: Given, log: Log, signal: AbortSignal) => Promise<Answer>;
}

/** The arguments of all tools, each as its schema has it. */
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
  readonly period?: string;
  readonly evidence?: EvidenceFigure;
  readonly kind?: FindingKind[];
  readonly limit?: number;
  readonly cursor?: string;
}

export const cursor = { type: 'string', maxLength: 2000, description: 'next_cursor of the answer before.' };
export const limit = (maximum: number, standard: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: standard,
  description: 'Items at most; fewer are given where they are large.',
});
export const globList = (what: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 100,
  description: `Only ${what} of such names: * is any run of characters, ? one. Absent: all.`,
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
export const teamList = {
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 100,
  description: 'The services of these teams, beside those of services; exact names.',
};
/** What narrows a question. */
export const scope = { services: globList('services'), environments: globList('environments'), teams: teamList };

/** The scope of a call, as the API takes it. */
export function scopeOf({ services, environments, teams }: Given): Pick<Given, 'services' | 'environments' | 'teams'> {
  return { ...(services && { services }), ...(environments && { environments }), ...(teams && { teams }) };
}

/** The same as addresses of the board say it. */
export function scopeAsked({ services, environments, teams }: Given): Record<string, string[] | undefined> {
  return { service: services, environment: environments, teams };
}

/** Items that the service gives by pages: where not all of them fit, a page of those that do is asked for its cursor. */
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
