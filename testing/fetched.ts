import { expect } from 'vitest';

export interface Fetched<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** Sends a request to a program. The response body is parsed if it is JSON; redirects are not followed. */
export async function fetched<Body>(url: string, init: RequestInit = {}): Promise<Fetched<Body>> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

/** Posts JSON, or nothing without a body. */
export function posted<Body>(url: string, body?: unknown, method = 'POST'): Promise<Fetched<Body>> {
  return fetched<Body>(url, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
}

/** Reads JSON; the status must be 200. */
export async function readJson<Body>(url: string): Promise<Body> {
  const { status, body } = await fetched<Body>(url);
  expect(status, url).toBe(200);
  return body;
}
