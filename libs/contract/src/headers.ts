import { type TSchema, Type } from 'typebox';
import { streamResumes } from './streams.ts';

/** The two credentials by the header that carries them (§5). */
export const keyHeaders = { api: 'X-Api-Key', control: 'X-Control-API-Key' } as const;
export type KeyName = keyof typeof keyHeaders;

/** Whether a request came through proxies, and whether each of them may say who its client is. */
export const proxyTrusts = ['none', 'trusted', 'untrusted'] as const;

/** The key of emitters where a program is given none: for a developer's own machine only (readings 2.2, 9.13, 10.4). */
export const developmentApiKey = 'dev-api-key';

/** The names of headers that the code sets or reads. */
export const headerNames = {
  acceptEncoding: 'Accept-Encoding',
  allow: 'Allow',
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

/** Response headers as the OpenAPI document describes them. */
export const responseHeaders = {
  Location: {
    description: 'Path of the stored event.',
    schema: Type.String({ examples: ['/api/deployments/019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55'] }),
  },
  ETag: { description: 'Weak validator of the content.', schema: Type.String({ examples: ['W/"b0d2…"'] }) },
  'X-Stream-Position': {
    description:
      'Greatest event id of the log in the snapshot that the answer was read from; absent while the log is empty. A deployment stream opened with it as `Last-Event-ID` continues without gap or duplicate.',
    schema: Type.String({ format: 'uuid' }),
  },
  'X-Stream-Resume': {
    description:
      'What became of `Last-Event-ID`: `live` (none given), `replay`, `truncated` (rows after that id are gone), `rewound` (the database has lost that row and perhaps others before it), `ignored` (no uuid).',
    schema: Type.Enum([...streamResumes]),
  },
  'Retry-After': { description: 'Seconds to wait.', schema: Type.Integer({ minimum: 1 }) },
  'WWW-Authenticate': {
    description: 'Which header takes the key.',
    schema: Type.String({ examples: ['ApiKey header="X-Api-Key"'] }),
  },
  Allow: { description: 'Methods of the path.', schema: Type.String() },
  'X-Proxy-Trust': {
    description:
      'How this request came: `none` (through no proxy that says so), `trusted` (the proxies are in `TRUSTED_PROXIES`, so that each client counts for itself), `untrusted` (one is not, so that all its clients count as one). Absent where clients are not limited.',
    schema: Type.Enum([...proxyTrusts]),
  },
} as const satisfies Record<string, { description: string; schema: TSchema }>;

export type ResponseHeader = keyof typeof responseHeaders;
