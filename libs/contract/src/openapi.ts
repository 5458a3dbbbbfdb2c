import type { TObject, TSchema } from 'typebox';
import * as driverShapes from './companions/driver-shapes.ts';
import * as mockShapes from './companions/mock.ts';
import type { Endpoint, SuccessReply } from './endpoint.ts';
import { keyHeaders, type ResponseHeader, responseHeaders } from './headers.ts';
import { type ProblemName, problemKinds } from './problems.ts';
import type { ServedEndpoints } from './served.ts';
import * as analyticsShapes from './shapes/analytics.ts';
import * as controlShapes from './shapes/control.ts';
import * as deploymentShapes from './shapes/deployment.ts';
import * as fetcherShapes from './shapes/fetcher.ts';
import * as matrixShapes from './shapes/matrix.ts';
import * as probeShapes from './shapes/probes.ts';
import * as problemShapes from './shapes/problem.ts';
import { StatusShape } from './shapes/text.ts';
import { statuses, statusMeanings } from './status.ts';
import type { Stream } from './streams.ts';
import { contractVersion } from './version.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** Every named shape, by the name it has in the document. */
const namedShapes = new Map<TSchema, string>(
  [
    ...[analyticsShapes, controlShapes, deploymentShapes, fetcherShapes, matrixShapes, probeShapes, problemShapes],
    ...[driverShapes, mockShapes, { StatusShape }],
  ]
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, TSchema] => /^[A-Z]/.test(entry[0]) && isShape(entry[1]))
    .map(([name, shape]) => [shape, name.replace(/Shape$/, '')]),
);

function isShape(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && ('type' in value || 'enum' in value || 'anyOf' in value);
}

/** Named lists of values: marked as optional, a schema is another object with the same list. */
const namedLists = new Map<unknown, string>([
  [StatusShape.enum, 'Status'],
  [controlShapes.ComponentStateShape.enum, 'ComponentState'],
  [controlShapes.ResetStateShape.enum, 'ResetState'],
]);

function shapeName(schema: object): string | undefined {
  return namedLists.get((schema as { enum?: unknown }).enum) ?? namedShapes.get(schema as TSchema);
}

/** A schema as plain JSON, named shapes inside it replaced by references. */
function schemaJson(schema: unknown, root?: unknown): Json {
  if (Array.isArray(schema)) return schema.map((item) => schemaJson(item));
  if (typeof schema !== 'object' || schema === null) return schema as Json;
  const name = schema === root ? undefined : shapeName(schema);
  if (name) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, schemaJson(value)]));
}

function parameters(place: 'path' | 'query' | 'header', shape: TObject | undefined): Json[] {
  if (!shape) return [];
  const required = new Set(shape.required ?? []);
  return Object.entries(shape.properties).map(([name, property]) => {
    const { description, ...schema } = schemaJson(property) as JsonObject;
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

function headerRefs(names: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successReply(endpoint: Endpoint, reply: SuccessReply): Json {
  const content = endpoint.stream
    ? {
        'text/event-stream': {
          // What the `data` line of each frame holds; OpenAPI 3.1 has no other place for it.
          schema: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: schemaJson(endpoint.stream.data),
          },
          example: streamExample(endpoint.stream),
        },
      }
    : reply.body && { 'application/json': { schema: schemaJson(reply.body) } };
  return {
    description: reply.description,
    ...(reply.headers ? { headers: headerRefs(reply.headers) } : {}),
    ...(content ? { content: content as Json } : {}),
  };
}

/** What an answer with a problem carries beside its body. */
const problemHeaders: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

function problemReply(status: number, kinds: readonly ProblemName[]): Json {
  const headers = problemHeaders[status];
  return {
    description:
      kinds.length > 0
        ? kinds.map((kind) => `${problemKinds[kind].title} (\`${kind}\`).`).join(' ')
        : 'Reserved for a rate limiter; there is none so far.',
    ...(headers ? { headers: headerRefs(headers) } : {}),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** Reading 1.9: what any operation may answer before it is known which one is meant. */
const brokenHttpReply: Json = {
  description: 'The request breaks HTTP itself (400), came too slowly (408), or has headers that are too large (431).',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function streamExample(stream: Stream): string {
  const id = 'id: 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55\n';
  const event = `event: ${stream.frameName ?? 'reset-initiated'}\n`;
  return `retry: 2000\n\n${stream.nameFirst ? event + id : id + event}data: {"…":"…"}\n\n: ping\n\n`;
}

const surfaceTitles: Readonly<Record<Endpoint['surface'], string>> = {
  write: 'Append deployment events',
  read: 'Matrix, listings, lookup and discovery',
  analytics: 'Figures over a window of days',
  stream: 'Server-Sent Events of the log',
  fetcher: 'Cursor state of fetchers',
  control: 'Reset and components',
  ops: 'Probes',
  demo: 'Scenarios, ingest and live emission',
  feeds: 'Server-Sent Events of the driver',
  proxies: 'What browsers reach through the driver',
  mock: 'What steers the mock',
};

function operation(name: string, endpoint: Endpoint): JsonObject {
  const described = [endpoint.description, endpoint.stream?.description].filter(Boolean);
  return {
    operationId: name,
    tags: [endpoint.surface],
    summary: endpoint.summary,
    ...(described.length > 0 ? { description: described.join(' ') } : {}),
    parameters: [
      ...parameters('path', endpoint.params),
      ...parameters('query', endpoint.query),
      ...parameters('header', endpoint.headers),
    ],
    ...(endpoint.key ? { security: [{ [endpoint.key]: [] }] } : { security: [] }),
    ...(endpoint.body
      ? {
          requestBody: {
            required: endpoint.bodyOptional !== true,
            content: { 'application/json': { schema: schemaJson(endpoint.body) } },
          },
        }
      : {}),
    responses: Object.fromEntries([
      ...Object.entries(endpoint.replies).map(([status, reply]) => [status, successReply(endpoint, reply)] as const),
      ...Object.entries(endpoint.problems).map(
        ([status, kinds]) => [status, problemReply(Number(status), kinds)] as const,
      ),
      ['4XX', brokenHttpReply],
    ]),
  };
}

/** The streams as data: OpenAPI 3.1 has no place of its own for the frames of an event stream. */
function streamList(served: readonly Endpoint[]): Json {
  const streams = served.flatMap(({ stream }) => (stream ? [stream] : []));
  return streams.map((stream) => ({
    path: stream.path,
    event: stream.frameName ?? 'the `type` of the frame',
    data: schemaJson(stream.data),
    replay_hours: stream.replayHours ?? null,
    filter: stream.filter ?? null,
  }));
}

/** Of the named shapes those that a part of the document leads to, and those that are conventions. */
function referencedShapes(...parts: readonly unknown[]): JsonObject {
  const found = new Map<string, Json>();
  const add = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const [shape] = [...namedShapes].find(([, candidate]) => candidate === name) ?? [];
      if (name === undefined || shape === undefined || found.has(name)) continue;
      const json = schemaJson(shape, shape);
      found.set(name, json);
      add(json);
    }
  };
  add(parts);
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The OpenAPI 3.1 document of the endpoints in `served`, with the shapes, headers, problem kinds and streams that they
 * need. A pure function of the contract: equal arguments give equal documents.
 */
export function openApiDocument({ served, problemBase }: { served: ServedEndpoints; problemBase: string }): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, endpoint] of Object.entries(served)) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(name, endpoint);
    paths[endpoint.path] = path;
  }
  const surfaces = new Set(Object.values(served).map(({ surface }) => surface));
  const streams = streamList(Object.values(served));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shiplog',
      version: contractVersion,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'The live log of what is deployed where. Bodies are JSON. Every answer that is no success is `application/problem+json`. Ids are UUIDv7 in commit order. Evolution is additive: ignore fields, statuses and frame types that you do not know.',
    },
    servers: [{ url: '/' }],
    tags: [...surfaces].map((name) => ({ name, description: surfaceTitles[name] })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(keyHeaders)
          .filter(([name]) => Object.values(served).some(({ key }) => key === name))
          .map(([name, header]) => [name, { type: 'apiKey', in: 'header', name: header }]),
      ),
      headers: Object.fromEntries(
        Object.entries(responseHeaders)
          .filter(([name]) => JSON.stringify(paths).includes(`"#/components/headers/${name}"`))
          .map(([name, header]) => [name, { description: header.description, schema: schemaJson(header.schema) }]),
      ),
      schemas: referencedShapes(paths, streams),
    },
    'x-statuses': statuses.map((status) => ({ status, meaning: statusMeanings[status] })),
    'x-problems': Object.entries(problemKinds).map(([kind, problem]) => ({
      type: `${problemBase}/${kind}`,
      status: problem.status,
      title: problem.title,
      explanation: problem.explanation,
    })),
    'x-streams': streams,
  };
}
