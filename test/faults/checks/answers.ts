import type { Answer } from '@shiplog/testing/http';

/**
 * Describes what is wrong with a response; `undefined` if it is correct. A response is correct if it has an allowed
 * status, or if it is a 503 with a problem document and Retry-After.
 */
export function answerFault({ status, headers, text, json }: Answer, good: readonly number[]): string | undefined {
  if (good.includes(status)) return undefined;
  const said = `${status} ${text.slice(0, 200)}`;
  if (status !== 503) return said;
  if (!headers['content-type']?.startsWith('application/problem+json')) return `no problem: ${said}`;
  const seconds = Number(headers['retry-after']);
  if (!(Number.isInteger(seconds) && seconds >= 1)) return `no Retry-After: ${said}`;
  return (json as { readonly status?: number } | undefined)?.status === status
    ? undefined
    : `a problem of another status: ${said}`;
}
