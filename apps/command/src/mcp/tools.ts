import type { Client } from '@shiplog/client';
import { byCodePoint, type MatrixSlot } from '@shiplog/contract';
import { usageFailure } from '../failure.ts';
import { globs } from '../log/globs.ts';
import { keyFigures, leadTimeNote } from '../questions/dora.ts';
import { analyticsLink, historyLink, viewLink } from '../questions/links.ts';
import { shownMatrix } from '../questions/shown-matrix.ts';
import { type Answer, briefEvent } from './answer.ts';

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
interface Given {
  readonly services?: readonly string[];
  readonly environments?: readonly string[];
  readonly failed_only?: boolean;
  readonly service?: string;
  readonly environment?: string;
  readonly period?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const cursor = { type: 'string', maxLength: 2000, description: 'next_cursor of the answer before.' };
const limit = (maximum: number, standard: number) => ({
  type: 'integer',
  minimum: 1,
  maximum,
  default: standard,
  description: 'Items at most; fewer are given where they are large.',
});
const globList = (what: string) => ({
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 128 },
  maxItems: 100,
  description: `Only ${what} of such names: * is any run of characters, ? one. Absent: all.`,
});
const closed = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const board: Tool = {
  name: 'board',
  description:
    'What is deployed where at this moment: for each service and environment the current deployment, the last successful one where the current is none, and what comes next.',
  input: closed({
    services: globList('services'),
    environments: globList('environments'),
    failed_only: { type: 'boolean', description: 'Only what failed, or runs after a failure.' },
    limit: limit(200, 50),
    cursor,
  }),
  answer: boardAnswer,
};

async function boardAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const filter = {
    isService: globs('services', given.services),
    isEnvironment: globs('environments', given.environments),
    isFailedOnly: given.failed_only ?? false,
  };
  const after = given.cursor === undefined ? undefined : placeIn(given.cursor);
  const { body } = await client.getMatrix({ signal });
  const { rows, generated_at } = shownMatrix(body, filter);
  const places = rows
    .flatMap(({ service, slots, upcoming = {} }) => [
      ...Object.entries(slots).map(([environment, slot]) => ({ place: [service, environment], slot })),
      ...Object.entries(upcoming).map(([environment, next]) => ({ place: [service, environment], slot: { next } })),
    ])
    .sort((one, other) => byPlace(one.place, other.place))
    .filter(({ place }) => after === undefined || byPlace(place, after) > 0);
  const asked = places.slice(0, given.limit ?? 50);
  return {
    members: { link: viewLink(url, 'board'), generated_at, left: places.length },
    items: asked.map(({ place: [service = '', environment = ''], slot }) => ({
      service,
      environment,
      ...briefSlot(slot),
      link: historyLink(url, service, environment),
    })),
    next: async (shown) => (shown < places.length ? cursorOf(places[shown - 1]?.place) : undefined),
  };
}

function briefSlot({ current, last_successful, next, prev_failed }: Partial<MatrixSlot>): object {
  return {
    ...(current && { current: briefEvent(current) }),
    ...(last_successful && { last_successful: briefEvent(last_successful) }),
    ...(next && { next: briefEvent(next) }),
    ...(prev_failed && { prev_failed }),
  };
}

type Place = readonly string[];

function byPlace([service = '', environment = '']: Place, [other = '', otherEnvironment = '']: Place): number {
  return byCodePoint(service, other) || byCodePoint(environment, otherEnvironment);
}

/** A place that goes through an assistant unchanged, whatever characters its names have. */
function cursorOf(place: Place | undefined): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

function placeIn(text: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (Array.isArray(place) && place.length === 2 && place.every((name) => typeof name === 'string')) return place;
  } catch {
    // It is none of ours.
  }
  throw usageFailure('cursor must be the next_cursor of an answer of this tool.');
}

const history: Tool = {
  name: 'history',
  description: 'The events of one service in one environment, newest first: what was deployed there, and how it ended.',
  input: closed(
    {
      service: { type: 'string', minLength: 1, maxLength: 128, description: 'The whole name, letter case counts.' },
      environment: { type: 'string', minLength: 1, maxLength: 64, description: 'The whole name, letter case counts.' },
      limit: limit(100, 20),
      cursor,
    },
    ['service', 'environment'],
  ),
  answer: historyAnswer,
};

async function historyAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const { service = '', environment = '' } = given;
  const page = async (count: number) => {
    const query = { service, environment, limit: count, ...(given.cursor !== undefined && { cursor: given.cursor }) };
    return (await client.listDeployments({ query, signal })).body;
  };
  const { items, next_cursor } = await page(given.limit ?? 20);
  return {
    members: { link: historyLink(url, service, environment), service, environment },
    items: items.map(briefEvent),
    // A cursor of the service stands behind a whole page, so where not all fits, a page of what does is asked for.
    next: async (shown) => (shown < items.length ? (await page(shown)).next_cursor : next_cursor) ?? undefined,
  };
}

const dora: Tool = {
  name: 'dora',
  description:
    'The four keys of software delivery over a period up to the last midnight in UTC: deployment frequency, lead time, change failure rate, time to restore.',
  input: closed({ period: { type: 'string', enum: ['7d', '14d', '30d'], default: '7d' } }),
  answer: async ({ period = '7d' }, { client, url }, signal) => {
    const { body } = await client.getDora({ query: { window: period }, signal });
    return {
      members: { link: analyticsLink(url, period), window: body.window, note: leadTimeNote },
      items: keyFigures.map((figure) => ({ figure, ...body[figure] })),
      next: async () => undefined,
    };
  },
};

/** All tools; none of them changes anything. */
export const tools: readonly Tool[] = [board, history, dora];
