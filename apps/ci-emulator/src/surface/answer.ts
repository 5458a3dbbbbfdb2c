import type { IncomingHttpHeaders } from 'node:http';
import type { CiTool } from '@shiplog/companions';

/** A request to a tool, as its surface sees it. */
export interface Call {
  readonly tool: CiTool;
  readonly method: string;
  /** As it was sent, without query; the log and fault rules go by it. */
  readonly path: string;
  readonly query: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The origin that was asked, such as `http://127.0.0.1:3100`. */
  readonly origin: string;
  readonly token: string | undefined;
  /** The emulator's time. */
  readonly now: number;
  /** The store is read as it was then. */
  readonly seenAt: number;
}

export interface ToolAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a surface made of a request. */
export interface Judged {
  readonly answer: ToolAnswer;
  readonly charged: boolean;
}

/** Thrown where a tool refuses; each surface writes it in its own form. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): ToolAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: Buffer.from(JSON.stringify(value)),
  };
}

/** What a route of a surface gives: a value to be sent as JSON, or a whole answer. */
export interface Found {
  readonly value: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** One path of a surface. Parameters are written `{name}`; `{name+}` takes all that is left. */
export interface Route<Context> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (context: Context, params: Readonly<Record<string, string>>) => Found | ToolAnswer;
}

/** The route of a path in segments that are decoded; a segment may contain a slash that was sent as %2F. */
export function routeOf<Context>(
  routes: readonly Route<Context>[],
  method: string,
  segments: readonly string[],
): { readonly route: Route<Context>; readonly params: Record<string, string> } | undefined {
  for (const route of routes) {
    const params = route.method === method ? match(route.path.split('/').slice(1), segments) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index];
    if (segment === undefined || segment === '') return undefined;
    const [, name, rest] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    if (name === undefined && segment !== part) return undefined;
    if (name !== undefined) params[name] = rest ? segments.slice(index).join('/') : segment;
    if (rest) return params;
  }
  return pattern.length === segments.length ? params : undefined;
}

/** A whole number of a query, `undefined` for anything else. */
export function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The page of a listing that a query asks for, at most a hundred rows; what makes no sense is the default. */
export function pageOf<Row>(rows: readonly Row[], parameters: URLSearchParams, perPageDefault: number) {
  const perPage = Math.min(wholeNumber(parameters.get('per_page')) || perPageDefault, 100);
  const page = wholeNumber(parameters.get('page')) || 1;
  const last = Math.max(1, Math.ceil(rows.length / perPage));
  return { rows: rows.slice((page - 1) * perPage, page * perPage), page, perPage, last, total: rows.length };
}

/** `Link` to the pages that exist, with the rest of the query as it was. */
export function linkHeader(
  { origin, path, parameters }: Pick<Call, 'origin' | 'path' | 'parameters'>,
  pages: readonly (readonly [rel: string, page: number])[],
): string {
  const links = pages.map(([rel, page]) => {
    const query = new URLSearchParams(parameters);
    query.set('page', String(page));
    return `<${origin}${path}?${query}>; rel="${rel}"`;
  });
  return links.join(', ');
}
