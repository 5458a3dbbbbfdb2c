import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { patterns } from '../limits.ts';
import { BoardFacts } from '../shapes/board-facts.ts';
import { Catalog } from '../shapes/catalog.ts';
import { DeploymentEvent, DeploymentEventIngest, DeploymentEventPage, DiscoveryList } from '../shapes/deployment.ts';
import { Matrix } from '../shapes/matrix.ts';
import { dateTime, PageLimit, StatusShape } from '../shapes/text.ts';
import { streams } from '../streams.ts';
import {
  eventId,
  exactFilterOrEmpty,
  globs,
  ifNoneMatch,
  invalid,
  lastEventId,
  opaqueCursor,
  pastMoment,
  reserved,
  streamReply,
  teams,
  tooLarge,
  tooMany,
  unauthorized,
  unavailable,
  unchanged,
} from './parts.ts';

/** Endpoints that write, read and follow the log (§4 Write, Read, Stream), and the catalog (questions.md 11). */
export const logEndpoints = {
  appendDeployment: {
    method: 'POST',
    path: '/api/deployments',
    tag: 'write',
    summary: 'Append a deployment event',
    description:
      'Appends exactly one row, without updates or deduplication. 201 means that the row is committed and flushed. Retrying a post whose outcome is unknown may add a second row.',
    key: 'api',
    headers: Type.Object({
      'X-Progress-Reporter': Type.Optional(
        Type.String({
          pattern: patterns.progressReporter,
          description: 'The reporter and its adapter: `<reporter>/<adapter>`.',
          examples: ['deploy-action/github'],
        }),
      ),
    }),
    body: DeploymentEventIngest,
    replies: { 201: { description: 'The stored event.', body: DeploymentEvent, headers: ['Location'] } },
    problems: {
      ...unauthorized,
      ...tooLarge,
      ...invalid,
      429: reserved,
      503: ['reset-in-progress', 'unavailable'],
    },
  },
  listDeployments: {
    method: 'GET',
    path: '/api/deployments',
    tag: 'read',
    summary: 'List deployment events',
    description: 'Lists the newest event first, by `happened_at` and then by `id`.',
    query: Type.Object({
      service: exactFilterOrEmpty('service'),
      environment: exactFilterOrEmpty('environment'),
      status: Type.Optional(StatusShape),
      deployment_id: exactFilterOrEmpty('deployment id', 'Returns all rows of one deployment.'),
      since: Type.Optional(dateTime({ description: 'Returns only events with `happened_at` at or after this time.' })),
      until: Type.Optional(dateTime({ description: 'Returns only events with `happened_at` before this time.' })),
      cursor: opaqueCursor,
      limit: Type.Optional(PageLimit),
    }),
    replies: { 200: { description: 'One page.', body: DeploymentEventPage, headers: ['X-Stream-Position'] } },
    problems: { ...invalid, ...unavailable },
  },
  getDeployment: {
    method: 'GET',
    path: '/api/deployments/{id}',
    tag: 'read',
    summary: 'Look up one deployment event',
    params: eventId,
    replies: { 200: { description: 'The event.', body: DeploymentEvent } },
    problems: { 404: ['not-found'], ...unavailable },
  },
  getBoardFacts: {
    method: 'GET',
    path: '/api/board/facts',
    tag: 'read',
    summary: 'What needs attention on the board',
    description:
      'Deployments that are stuck or slow, places behind the previous stage, events hidden by one dated in the future, findings, and silent reporters.',
    query: Type.Object({ services: globs('services'), teams, environments: globs('environments') }),
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The facts.', body: BoardFacts, headers: ['ETag', 'X-Stream-Position'] },
      304: { description: 'Unchanged since `If-None-Match`.', headers: ['ETag', 'X-Stream-Position'] },
    },
    problems: { ...invalid, ...tooMany, ...unavailable },
  },
  getMatrix: {
    method: 'GET',
    path: '/api/matrix',
    tag: 'read',
    summary: 'Show what runs where: services by environments',
    description:
      'Returns the current board, or the board as of `at` if that is sent. Rows that arrive late may still change a past board. Such a response has no `X-Stream-Position`, because no stream continues from it.',
    query: Type.Object({
      service: exactFilterOrEmpty('service'),
      at: pastMoment,
    }),
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The snapshot.', body: Matrix, headers: ['ETag', 'X-Stream-Position'] },
      304: { description: 'The content still matches `If-None-Match`.', headers: ['ETag', 'X-Stream-Position'] },
    },
    problems: { ...invalid, ...tooMany, ...unavailable },
  },
  listServices: {
    method: 'GET',
    path: '/api/services',
    tag: 'read',
    summary: 'List the services with stored events',
    replies: { 200: { description: 'The names, sorted by code point.', body: DiscoveryList } },
    problems: { ...unavailable },
  },
  listEnvironments: {
    method: 'GET',
    path: '/api/environments',
    tag: 'read',
    summary: 'List the environments with stored events',
    replies: { 200: { description: 'The names, sorted by code point.', body: DiscoveryList } },
    problems: { ...unavailable },
  },
  streamDeployments: {
    method: 'GET',
    path: streams.deployments.path,
    tag: 'stream',
    summary: 'Follow the log',
    description:
      'Sends Server-Sent Events. With `Last-Event-ID`, the stream first sends every stored row with a greater id in ascending order, and then continues live, without gaps or duplicates.',
    query: Type.Object({
      service: exactFilterOrEmpty('service', 'Returns only events of this service.'),
      last_event_id: lastEventId,
    }),
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    replies: streamReply,
    problems: { ...invalid, ...unavailable },
    stream: streams.deployments,
  },
  getCatalog: {
    method: 'GET',
    path: '/api/catalog',
    tag: 'read',
    summary: 'List the teams, owners and links of all services',
    description:
      'Returns what the `CATALOG_FILE` says about every service in the log, and the presets for the board. Without a file, all entries are empty.',
    headers: ifNoneMatch,
    replies: {
      200: { description: 'The catalog.', body: Catalog, headers: ['ETag'] },
      304: unchanged,
    },
    problems: { ...unavailable },
  },
} as const satisfies Record<string, Endpoint>;
