import type { IncomingHttpHeaders } from 'node:http';
import type { CiTool } from '@shiplog/companions';

/** A request to a tool. */
export interface Call {
  readonly tool: CiTool;
  readonly method: string;
  /** As sent, without the query; used by the request log and by fault rules. */
  readonly path: string;
  readonly query: string;
  readonly parameters: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The origin of the request, such as `http://127.0.0.1:3100`. */
  readonly origin: string;
  readonly token: string | undefined;
  /** The emulator's time. */
  readonly now: number;
  /** The instant at which the store is read. */
  readonly seenAt: number;
}

export interface ToolAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A surface's response to a request. */
export interface Judged {
  readonly answer: ToolAnswer;
  readonly charged: boolean;
}

/** A refusal by the tool; each surface formats it in its own way. */
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

/** The result of a route: a value to send as JSON, or a complete response. */
export interface Found {
  readonly value: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

/** One path of a surface. Parameters are `{name}`; `{name+}` matches the remaining path. */
export interface Route<Context> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (context: Context, params: Readonly<Record<string, string>>) => Found | ToolAnswer;
}

/** The route that matches decoded segments; a segment may contain a slash that was sent as %2F. */
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
    const [, name, remaining] = /^\{(\w+)(\+?)\}$/.exec(part) ?? [];
    if (name === undefined && segment !== part) return undefined;
    if (name !== undefined) params[name] = remaining ? segments.slice(index).join('/') : segment;
    if (remaining) return params;
  }
  return pattern.length === segments.length ? params : undefined;
}

/** An integer in the query; `undefined` for anything else. */
export function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The requested page of a listing, at most a hundred rows; invalid values count as the default. */
export function pageOf<Row>(rows: readonly Row[], parameters: URLSearchParams, perPageDefault: number) {
  const perPage = Math.min(wholeNumber(parameters.get('per_page')) || perPageDefault, 100);
  const page = wholeNumber(parameters.get('page')) || 1;
  const last = Math.max(1, Math.ceil(rows.length / perPage));
  return { rows: rows.slice((page - 1) * perPage, page * perPage), page, perPage, last, total: rows.length };
}

/** `Link` to the existing pages, with the other query parameters unchanged. */
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
