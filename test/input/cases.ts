import { type HttpCall, type OpenApiDocument, type Operation, operationsOf } from '@shiplog/testing';
import { exampleOf } from './document.ts';

/** A program's OpenAPI document and facts that it doesn't contain. */
export interface Subject {
  readonly document: OpenApiDocument;
  /** The valid keys by header name. */
  readonly keys: Readonly<Record<string, string>>;
  /** Values for path parameters for which data is stored, by `name`, or by `resource/name` where it differs. */
  readonly known: Readonly<Record<string, string>>;
}

/** One request and its only correct responses. */
export interface Case {
  readonly kind: string;
  readonly call: HttpCall;
  readonly statuses: readonly number[];
  /** If the status is 422: the exact pointers to the errors. */
  readonly pointers?: readonly string[];
  /** If the status is 405: the methods of the path. */
  readonly allow?: readonly string[];
}

export type Headers = HttpCall['headers'];

/** The parts of a request that a case can change. */
interface Parts {
  readonly segments: Readonly<Record<string, string>>;
  /** The query without `?`. */
  readonly query: string;
  readonly headers: Headers;
  readonly body: Buffer | undefined;
}

/** Parts of a request and the expected response. */
type Harmless = Pick<Case, 'statuses' | 'pointers'> & { readonly parts: Partial<Parts> };

/** Splits header lines into names and values. The lines have no line breaks. */
export function fields(...lines: readonly string[]): Headers {
  return lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).replace(/^ /, '')]);
}

/** An operation with a valid request, from which cases are derived. */
export class Target {
  readonly operation: Operation;
  readonly valid: Parts;
  /** Values for the required query parameters by name. */
  readonly #needed: ReadonlyMap<string, string>;

  constructor(operation: Operation, { keys, known }: Subject) {
    const { parameters, keyHeader, body } = operation;
    const inPath = parameters.filter((one) => one.in === 'path');
    const demanded = parameters.filter((one) => one.in === 'header' && one.required);
    const needed = parameters.filter((one) => one.in === 'query' && one.required);
    this.operation = operation;
    this.#needed = new Map(needed.map(({ name, schema }) => [name, `${name}=${exampleOf(schema)}`]));
    this.valid = {
      segments: Object.fromEntries(
        inPath.map(({ name }) => [name, known[`${operation.path.split('/')[2]}/${name}`] ?? known[name] ?? name]),
      ),
      query: '',
      headers: [
        ...(keyHeader === undefined ? [] : [[keyHeader, keys[keyHeader] ?? ''] as const]),
        ...demanded.map(({ name, schema }) => [name, String(exampleOf(schema))] as const),
      ],
      body: body && Buffer.from(JSON.stringify(exampleOf(body))),
    };
  }

  /** Whether accepted requests don't change anything. */
  get isRead(): boolean {
    return this.operation.method === 'GET';
  }

  /** Whether it needs a credential of a kind that the document names only in words. The cases have none. */
  get needsCredential(): boolean {
    return this.operation.keyHeader === undefined && this.operation.statuses.includes(401);
  }

  call(parts: Partial<Parts> = {}, method = this.operation.method): HttpCall {
    const { segments, query, headers, body } = { ...this.valid, ...parts };
    const path = this.operation.path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? '');
    const named = query.split('&').map((pair) => pair.replace(/=.*$/s, ''));
    const needed = [...this.#needed].flatMap(([name, pair]) => (named.includes(name) ? [] : [pair]));
    const whole = [...needed, ...(query === '' ? [] : [query])].join('&');
    return { method, path: whole === '' ? path : `${path}?${whole}`, headers, body };
  }

  /** The valid headers, except that the header with this name is replaced by others. */
  headersWith(name: string, ...others: Headers): Headers {
    return [...this.valid.headers.filter(([own]) => own !== name), ...others];
  }

  /**
   * A request that has no effect and to which a case can add unusual parts: a read, or a write that fails only the last
   * check. `undefined` for a stream without a parameter that could be invalid.
   */
  get harmless(): Harmless | undefined {
    const { body, keyHeader, isStream, parameters } = this.operation;
    const filter = parameters.find((one) => one.in === 'query')?.name;
    if (body) return { parts: { body: Buffer.from('{') }, statuses: [422], pointers: [''] };
    if (isStream) {
      return filter
        ? { parts: { query: `${filter}=a&${filter}=b` }, statuses: [422], pointers: [`/${filter}`] }
        : undefined;
    }
    if (this.needsCredential) return { parts: {}, statuses: [401] };
    if (this.isRead) return { parts: {}, statuses: [200, 304] };
    if (keyHeader) return { parts: { headers: this.headersWith(keyHeader, [keyHeader, 'wrong']) }, statuses: [401] };
    return { parts: { headers: [...this.valid.headers, ['Sec-Fetch-Site', 'cross-site']] }, statuses: [403] };
  }
}

export function targetsOf(subject: Subject): Target[] {
  return operationsOf(subject.document).map((operation) => new Target(operation, subject));
}

/**
 * Adds a HEAD case for each rejected GET (reading 1.9), except if the headers are too large, because the server doesn't
 * read the method of such requests.
 */
export function withHead(cases: readonly Case[]): Case[] {
  return cases.flatMap((each) => {
    const { call, statuses } = each;
    const isRefused = statuses.every((status) => status >= 400 && status !== 431);
    return call.method === 'GET' && isRefused ? [each, { ...each, call: { ...call, method: 'HEAD' } }] : [each];
  });
}
