import type { TObject } from 'typebox';
import type { Endpoint, ServedEndpoints, SuccessReply } from '../endpoint.ts';
import { keyHeaders, type ResponseHeader, responseHeaders } from '../headers.ts';
import { limits } from '../limits.ts';
import { type ProblemName, problemKinds } from '../problems.ts';
import { statuses, statusMeanings } from '../status.ts';
import type { Stream } from '../streams.ts';
import { coreTags, type Tags } from '../tags.ts';
import { contractVersion } from '../version.ts';
import { type Json, type JsonObject, Schemas, type ShapeModule } from './schemas.ts';

/** The endpoints of a program and their descriptions. */
export interface ApiDescription {
  readonly served: ServedEndpoints;
  readonly problemBase: string;
  /** Modules with named shapes and tag descriptions, in addition to those of the core API. */
  readonly shapes?: readonly ShapeModule[];
  readonly tags?: Tags;
}

function parameters(schemas: Schemas, location: 'path' | 'query' | 'header', shape: TObject | undefined): Json[] {
  if (!shape) return [];
  const required = new Set(shape.required ?? []);
  return Object.entries(shape.properties).map(([name, property]) => {
    const { description, ...schema } = schemas.json(property) as JsonObject;
    return {
      name,
      in: location,
      required: required.has(name),
      ...(description !== undefined && { description }),
      schema,
    };
  });
}

function headerRefs(names: readonly ResponseHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function successReply(schemas: Schemas, endpoint: Endpoint, reply: SuccessReply): Json {
  const content = endpoint.stream
    ? {
        'text/event-stream': {
          // The schema for the `data` line of each frame. OpenAPI 3.1 has no better place for this schema.
          schema: {
            type: 'string',
            contentMediaType: 'application/json',
            contentSchema: schemas.json(endpoint.stream.data),
          },
          example: streamExample(endpoint.stream),
        },
      }
    : reply.body && { [reply.mediaType ?? 'application/json']: { schema: schemas.json(reply.body) } };
  return {
    description: reply.description,
    ...(reply.headers && { headers: headerRefs(reply.headers) }),
    ...(content && { content: content as Json }),
  };
}

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
        : 'Reserved for rate-limiting posts; not used yet.',
    ...(headers && { headers: headerRefs(headers) }),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** Any operation may return this response even if it doesn't declare it (reading 1.9). */
const brokenHttpReply: Json = {
  description: `The request is not valid HTTP (400), arrived too slowly (408), has headers that are too large (431), or has more than ${limits.queryPairs} query parameters (422).`,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function streamExample(stream: Stream): string {
  const id = 'id: 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55\n';
  const event = `event: ${stream.frameName ?? 'reset-initiated'}\n`;
  return `retry: 2000\n\n${stream.nameFirst ? event + id : id + event}data: {"…":"…"}\n\n: ping\n\n`;
}

function operation(schemas: Schemas, name: string, endpoint: Endpoint): JsonObject {
  const described = [endpoint.description, endpoint.stream?.description].filter(Boolean);
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(described.length > 0 && { description: described.join(' ') }),
    parameters: [
      ...parameters(schemas, 'path', endpoint.params),
      ...parameters(schemas, 'query', endpoint.query),
      ...parameters(schemas, 'header', endpoint.headers),
    ],
    security: endpoint.key ? [{ [endpoint.key]: [] }] : [],
    ...(endpoint.body && {
      requestBody: {
        required: endpoint.bodyOptional !== true,
        content: { 'application/json': { schema: schemas.json(endpoint.body) } },
      },
    }),
    responses: Object.fromEntries([
      ...Object.entries(endpoint.replies).map(([status, reply]) => [status, successReply(schemas, endpoint, reply)]),
      ...Object.entries(endpoint.problems).map(([status, kinds]) => [status, problemReply(Number(status), kinds)]),
      ['4XX', brokenHttpReply],
    ]),
  };
}

/** Describes the streams in an extension, because OpenAPI 3.1 can't describe event stream frames. */
function streamList(schemas: Schemas, served: readonly Endpoint[]): Json {
  const streams = served.flatMap(({ stream }) => (stream ? [stream] : []));
  return streams.map((stream) => ({
    path: stream.path,
    event: stream.frameName ?? 'the `type` of the frame',
    data: schemas.json(stream.data),
    replay_hours: stream.replayHours ?? null,
    filter: stream.filter ?? null,
  }));
}

/** The OpenAPI 3.1 document of the endpoints in `served`. The same arguments always give the same document. */
export function openApiDocument({ served, problemBase, shapes = [], tags = {} }: ApiDescription): JsonObject {
  const schemas = new Schemas(shapes);
  const texts: Tags = { ...coreTags, ...tags };
  const paths: Record<string, JsonObject> = {};
  for (const [name, endpoint] of Object.entries(served)) {
    const path = paths[endpoint.path] ?? {};
    path[endpoint.method.toLowerCase()] = operation(schemas, name, endpoint);
    paths[endpoint.path] = path;
  }
  const used = new Set(Object.values(served).map(({ tag }) => tag));
  const streams = streamList(schemas, Object.values(served));
  const text = JSON.stringify([paths, streams]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shiplog',
      version: contractVersion,
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'The live log of what is deployed where. Bodies are JSON. Every error response is `application/problem+json`. Ids are UUIDv7 in commit order. New versions only add to the API, so ignore unknown fields, statuses and frame types.',
    },
    servers: [{ url: '/' }],
    tags: [...used].map((name) => ({ name, description: texts[name]?.description ?? name })),
    paths,
    components: {
      securitySchemes: Object.fromEntries(
        Object.entries(keyHeaders)
          .filter(([name]) => Object.values(served).some(({ key }) => key === name))
          .map(([name, header]) => [name, { type: 'apiKey', in: 'header', name: header }]),
      ),
      headers: Object.fromEntries(
        Object.entries(responseHeaders)
          .filter(([name]) => text.includes(`"#/components/headers/${name}"`))
          .map(([name, header]) => [name, { description: header.description, schema: schemas.json(header.schema) }]),
      ),
      schemas: schemas.referencedBy(text),
    },
    'x-statuses': statuses.map((status) => ({ status, meaning: statusMeanings[status] })),
    'x-problems': Object.entries(problemKinds).map(([kind, problem]) => ({
      type: `${problemBase}/${kind}`,
      ...problem,
    })),
    'x-streams': streams,
  };
}
