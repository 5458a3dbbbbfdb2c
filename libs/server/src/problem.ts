import {
  type FieldError,
  headerNames,
  limits,
  type Problem as ProblemBody,
  type ProblemName,
  problemKinds,
  type ReadinessCheck,
} from '@shiplog/contract';

interface ProblemOptions {
  /** A message for the user: what is wrong and what to do. */
  readonly detail: string;
  /** The status, if it differs from the default of the kind. */
  readonly status?: number;
  readonly errors?: readonly FieldError[];
  readonly checks?: Readonly<Partial<Record<ReadinessCheck, 'ok' | 'fail'>>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body, about the credential. */
  readonly access?: Pick<ProblemBody, 'credential' | 'may' | 'asked' | 'reason' | 'claims' | 'tried'>;
  /** An HTML page, sent with the problem's status instead of the problem. */
  readonly page?: string;
  readonly cause?: unknown;
}

/** Handlers throw this for errors that the caller can correct. `errors.ts` sends the response. */
export class Problem extends Error {
  readonly kind: ProblemName;
  readonly status: number;
  readonly options: ProblemOptions;

  constructor(kind: ProblemName, options: ProblemOptions) {
    super(options.detail, { cause: options.cause });
    this.kind = kind;
    this.status = options.status ?? problemKinds[kind].status;
    this.options = options;
  }

  /** The body of the problem. `instance` is the request path as sent, without the query. */
  body(problemBase: string, instance: string): string {
    return JSON.stringify({
      type: `${problemBase}/${this.kind}`,
      title: problemKinds[this.kind].title,
      status: this.status,
      detail: this.options.detail,
      instance,
      errors: this.options.errors,
      checks: this.options.checks,
      ...this.options.access,
    });
  }
}

/** 503 with `Retry-After` (reading 8.3). */
export function unavailable(detail: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}): Problem {
  return new Problem('unavailable', {
    detail,
    headers: { [headerNames.retryAfter]: String(options.retryAfterSeconds ?? 5) },
    cause: options.cause,
  });
}

/** A body of 256 KiB can contain tens of thousands of errors, and each would add a hundred bytes to the response. */
const errorsMax = 100;

/** 422 with all errors in one response, up to the maximum (reading 1.2). */
export function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const where = first?.pointer === '' ? 'The body' : first?.pointer;
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return new Problem('validation', {
    detail: `${where} ${first?.message}${others}.`,
    errors: errors.slice(0, errorsMax),
  });
}

/** @throws Problem 413 if the cursor of a fetcher is too large to store (reading 8.1). */
export function requireFittingCursor(cursor: string): void {
  if (Buffer.byteLength(cursor) <= limits.cursorBytes) return;
  throw new Problem('payload-too-large', { detail: `The cursor is larger than ${limits.cursorBytes} bytes.` });
}

/** @throws Problem 422 if the `cursor` isn't from a page (reading 3.8). */
export function parsedCursor<Key>(cursor: string | undefined, parse: (cursor: string) => Key | undefined) {
  const key = cursor === undefined ? undefined : parse(cursor);
  if (cursor !== undefined && key === undefined) {
    throw invalid([{ pointer: '/cursor', message: 'must be the next_cursor of an earlier page' }]);
  }
  return key;
}
