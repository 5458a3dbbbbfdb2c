import type { Answer } from '../http-line.ts';

/**
 * What is wrong with an answer, `undefined` where nothing is: one of the good statuses is right, and so is a 503 that is
 * a problem and says how long to wait.
 */
export function answerFault({ status, headers, body }: Answer, good: readonly number[]): string | undefined {
  if (good.includes(status)) return undefined;
  const said = `${status} ${body.toString().slice(0, 200)}`;
  if (status !== 503) return said;
  if (!headers['content-type']?.startsWith('application/problem+json')) return `no problem: ${said}`;
  const seconds = Number(headers['retry-after']);
  if (!(Number.isInteger(seconds) && seconds >= 1)) return `no Retry-After: ${said}`;
  return problemOf(body).status === status ? undefined : `a problem of another status: ${said}`;
}

/** The slug of the problem that a body is; `undefined` where it is none. */
export function problemSlug(body: Buffer): string | undefined {
  const { type } = problemOf(body);
  return type?.slice(type.lastIndexOf('/') + 1);
}

/** Nothing where the body is no JSON. */
function problemOf(body: Buffer): { readonly type?: string; readonly status?: number } {
  try {
    return JSON.parse(body.toString()) as { type?: string; status?: number };
  } catch {
    return {};
  }
}
