/** One kind of problem, with the texts of its page. */
export interface ProblemKind {
  /** The default status. */
  readonly status: number;
  readonly title: string;
  /** The text of the page at `{PROBLEM_BASE}/{kind}`: what happened and what to do (reading 8.4). */
  readonly explanation: string;
}

/**
 * Every kind of problem of the service and its companions (reading 8.4). Each program serves the pages of all kinds,
 * because several programs may share one `PROBLEM_BASE`.
 */
export const problemKinds = {
  validation: {
    status: 422,
    title: 'Validation failed',
    explanation:
      'The request is understood but a field, header or query parameter breaks its rule. `errors` lists every mistake (the first 100 of more): `pointer` says where (a JSON Pointer into the body, or the name of a header, query or path parameter), `message` says what is expected. Correct the listed places and send it again; nothing was stored. A version has at most 50 characters: of a longer one, such as an image reference or the output of `git describe`, send the tag alone, the commit as `sha` and the branch as `ref`.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    explanation:
      'The key is missing or is not the configured one. Ingest, fetcher state and component events take `X-Api-Key`; the reset and the control stream take `X-Control-API-Key`, which is a different secret. A webhook of the fetcher takes the signature, the token or the password that it was set up with on both sides. Nothing of the request was read.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation:
      'There is no such path, or nothing is stored under this identifier. An event disappears when it is older than the retention or when a reset cleared the log.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists but does not take this method. The `Allow` header lists the methods it takes.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    explanation:
      'A request body is limited to 256 KiB, one that the driver forwards and a delivery to a webhook of the fetcher to 5 MiB, a dataset for the CI emulator to 4 MiB; a fetcher cursor and the payload of a component event are limited to 8 KiB of UTF-8 each. Nothing was stored.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'This client has as many slow reads, or computations of answers that are not kept, in progress as one client may have; those that came on top waited for a place, and some of them in vain. Wait the seconds of `Retry-After` and ask again, fewer at a time. A client is an address; behind a proxy it is the address in `X-Forwarded-For`, if the operator named the proxy in `TRUSTED_PROXIES`.',
  },
  'reset-in-progress': {
    status: 503,
    title: 'Reset in progress',
    explanation:
      'A reset is draining or clearing the log. With 503, wait the seconds of `Retry-After` and send the request again; nothing was stored. With 409, another reset is already under way: wait for its `reset-completed` on the control stream.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    explanation:
      'The database cannot be reached, a notification channel is not attached, or the service is shutting down; a fetcher also answers this while the log takes no delivery, or while a source cannot be polled. Wait the seconds of `Retry-After` and send the request again. For a post whose commit was under way this answer does not say whether the row was stored: a repeated post may add a second row.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    explanation:
      'The service failed because of an error of its own. The details are in its log, under the time of this answer; they are not part of it.',
  },
  'forbidden-origin': {
    status: 403,
    title: 'Forbidden origin',
    explanation:
      'A browser sent this request from a page of another site. State-changing calls of the driver, the mock and the CI emulator are accepted from their own panel, and from clients that are no browser.',
  },
  upstream: {
    status: 502,
    title: 'Upstream unreachable',
    explanation:
      'The program that this call is forwarded to could not be reached (502) or did not begin its answer in time (504). Start it, or correct the address in the configuration.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof problemKinds;
