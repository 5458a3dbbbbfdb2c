interface ProblemKind {
  /** The default status. */
  readonly status: number;
  readonly title: string;
  /** The text of the problem's page. It explains what happened and what to do (reading 8.4). */
  readonly explanation: string;
}

/**
 * Each program serves the pages for all kinds of problems, because programs may share one `PROBLEM_BASE` (reading 8.4).
 */
export const problemKinds = {
  validation: {
    status: 422,
    title: 'Validation failed',
    explanation:
      'A field, header or parameter is invalid, and nothing was stored. `errors` lists at most 100 errors. `pointer` says where an error is: it is a JSON Pointer into the body, or the name of a header, query or path parameter. `message` says what is expected. Correct the errors and send the request again. A version may have at most 50 characters. Instead of an image reference or the output of `git describe`, send only the tag as the version, the commit as `sha` and the branch as `ref`.',
  },
  unauthorized: {
    status: 401,
    title: 'Unauthorized',
    explanation:
      'The key or token is missing, wrong, expired or withdrawn, or no one has signed in. A key is `API_KEY` of the service (unless its access file says `shared_key: off`) or a named key of the access file; a token is the identity token of a CI job. Ingest, fetcher state and component events need `X-Api-Key`. The reset, removals and the control stream need `X-Control-API-Key`, which is a different secret. A fetcher webhook needs the signature, token or password that is configured on both sides. The request was not read.',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    explanation:
      'The credential is valid, but it may not do this. `credential` says which one it is, `may` what it may do, and `asked` what the request asked for. Ask the owner of the access file for the right, or use another key. For an identity token, `tried` lists the rules of its issuer with the first claim that differs, and `shiplog access explain` shows the same offline.',
  },
  'not-found': {
    status: 404,
    title: 'Not found',
    explanation:
      'The path does not exist, or nothing is stored under this identifier. Events disappear when they are older than the retention period or are removed, and when a reset clears the log.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'Method not allowed',
    explanation: 'The path exists but does not accept this method. The `Allow` header lists the methods it accepts.',
  },
  'payload-too-large': {
    status: 413,
    title: 'Payload too large',
    explanation:
      "The request is too large, and nothing was stored. A request body may have at most 256 KiB. A request that the driver forwards or a fetcher webhook receives may have 5 MiB, and a dataset for the CI emulator 4 MiB. A fetcher cursor and a component event's payload may have 8 KiB of UTF-8 each.",
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'This client has reached its limit of slow reads in progress. Wait for the seconds in `Retry-After`, then send fewer requests at once. A client is an IP address. Behind a proxy, it is the address in `X-Forwarded-For` if the operator listed the proxy in `TRUSTED_PROXIES`.',
  },
  'hold-over': {
    status: 409,
    title: 'Hold is over',
    explanation:
      'The hold has been released or has ended, so it can neither be released nor get an exception. Create a new one with `POST /api/holds`.',
  },
  'reset-in-progress': {
    status: 503,
    title: 'Reset in progress',
    explanation:
      'A reset is draining the components or clearing the log. After a 503, wait for the seconds in `Retry-After` and send the request again. Nothing was stored. After a 409, another reset is already in progress. Wait for its `reset-completed` frame on the control stream.',
  },
  unavailable: {
    status: 503,
    title: 'Service unavailable',
    explanation:
      "The database is unreachable, a notification channel is not attached, or the service is shutting down. A fetcher also returns this problem while it can't post to the log or poll a source. Wait for the seconds in `Retry-After` and send the request again. If a post was being committed, its row may have been stored, and retrying may add a second row.",
  },
  internal: {
    status: 500,
    title: 'Internal error',
    explanation: 'The service failed (a bug in Shiplog). Its log has the details, at the time of this response.',
  },
  'forbidden-origin': {
    status: 403,
    title: 'Forbidden origin',
    explanation:
      "A browser sent this request from another site's page. The driver, the mock and the CI emulator accept state-changing calls only from their own panels and from clients other than browsers.",
  },
  upstream: {
    status: 502,
    title: 'Upstream unreachable',
    explanation:
      'The program behind this call could not be reached (502) or did not start to respond in time (504). Start it, or correct its address in the configuration.',
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemName = keyof typeof problemKinds;
