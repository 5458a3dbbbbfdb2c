import { type TSchema, Type } from 'typebox';
import { streamResumes } from './streams.ts';

/** The header of each of the two credentials (§5). */
export const keyHeaders = { api: 'X-Api-Key', control: 'X-Control-API-Key' } as const;
export type KeyName = keyof typeof keyHeaders;

/** Whether a request came through proxies, and whether all of them are trusted. */
export const proxyTrusts = ['none', 'trusted', 'untrusted'] as const;

/** The default API key, only for a developer's own machine (readings 2.2, 9.13, 10.4). */
export const developmentApiKey = 'dev-api-key';

export const headerNames = {
  acceptEncoding: 'Accept-Encoding',
  allow: 'Allow',
  authorization: 'Authorization',
  etag: 'ETag',
  ifNoneMatch: 'If-None-Match',
  lastEventId: 'Last-Event-ID',
  location: 'Location',
  progressReporter: 'X-Progress-Reporter',
  proxyTrust: 'X-Proxy-Trust',
  componentId: 'X-Component-Id',
  correlationId: 'X-Correlation-Id',
  retryAfter: 'Retry-After',
  vary: 'Vary',
  wwwAuthenticate: 'WWW-Authenticate',
  streamPosition: 'X-Stream-Position',
  streamResume: 'X-Stream-Resume',
} as const;

/** Response headers for the OpenAPI document. */
export const responseHeaders = {
  Location: {
    description: 'The path of the stored event.',
    schema: Type.String({ examples: ['/api/deployments/019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55'] }),
  },
  ETag: { description: 'A weak validator of the content.', schema: Type.String({ examples: ['W/"b0d2…"'] }) },
  'X-Stream-Position': {
    description:
      'The greatest event id in the snapshot behind this response. Absent while the log is empty. A deployment stream opened with this id as `Last-Event-ID` continues without gaps or duplicates.',
    schema: Type.String({ format: 'uuid' }),
  },
  'X-Stream-Resume': {
    description:
      'How the stream resumed: `live` (no `Last-Event-ID` was sent), `replay` (later rows are replayed), `truncated` (some rows after that id are gone), `rewound` (the database lost that row and perhaps earlier ones) or `ignored` (the id is not a UUID).',
    schema: Type.Enum([...streamResumes]),
  },
  'Retry-After': { description: 'The number of seconds to wait.', schema: Type.Integer({ minimum: 1 }) },
  'WWW-Authenticate': {
    description: 'The header in which to send the key.',
    schema: Type.String({ examples: ['ApiKey header="X-Api-Key"'] }),
  },
  Allow: { description: 'The methods that the path accepts.', schema: Type.String() },
  'X-Proxy-Trust': {
    description:
      'Whether this request came through proxies: `none` (there is no sign of a proxy), `trusted` (all proxies are in `TRUSTED_PROXIES`, so each client counts separately) or `untrusted` (a proxy is not in `TRUSTED_PROXIES`, so all its clients count as one). Absent if clients are not limited.',
    schema: Type.Enum([...proxyTrusts]),
  },
} as const satisfies Record<string, { description: string; schema: TSchema }>;

export type ResponseHeader = keyof typeof responseHeaders;
