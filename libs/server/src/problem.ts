import { type FieldError, headerNames, type ProblemName, problemKinds, type ReadinessCheck } from '@shiplog/contract';

export interface ProblemOptions {
  /** A sentence for a person: what is wrong and what to do. */
  readonly detail: string;
  /** If it differs from the kind's status. */
  readonly status?: number;
  readonly errors?: readonly FieldError[];
  readonly checks?: Readonly<Partial<Record<ReadinessCheck, 'ok' | 'fail'>>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A page for people, sent instead of the problem with its status. */
  readonly page?: string;
  readonly cause?: unknown;
}

/**
 * The one error that handlers throw for faults the caller can act on. It is written as `application/problem+json` in one
 * place, `errors.ts`.
 */
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

  /** The body, for the request path `instance` (without query, as it was sent). */
  body(problemBase: string, instance: string): string {
    return JSON.stringify({
      type: `${problemBase}/${this.kind}`,
      title: problemKinds[this.kind].title,
      status: this.status,
      detail: this.options.detail,
      instance,
      errors: this.options.errors,
      checks: this.options.checks,
    });
  }
}

/** 503 with how long to wait (reading 8.3: every 503 carries `Retry-After`). */
export function unavailable(detail: string, options: { retryAfterSeconds?: number; cause?: unknown } = {}): Problem {
  return new Problem('unavailable', {
    detail,
    headers: { [headerNames.retryAfter]: String(options.retryAfterSeconds ?? 5) },
    cause: options.cause,
  });
}

/** A body of 256 KiB can hold tens of thousands of errors; each would be a hundred bytes of the answer. */
const errorsMax = 100;

/** 422 with all errors at once (reading 1.2), up to a readable number; `detail` counts the others. */
export function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors;
  const where = first?.pointer === '' ? 'The body' : first?.pointer;
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return new Problem('validation', {
    detail: `${where} ${first?.message}${others}.`,
    errors: errors.slice(0, errorsMax),
  });
}
