import { isDeepStrictEqual } from 'node:util';
import type { Answer, WireRequest } from '@shiplog/testing';
import { mediaType } from './document-check.ts';
import type { TargetKeys } from './target.ts';

const problemMembers = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'checks'];
/** access.md 3.8, 9.6. */
const accessMembers = ['credential', 'may', 'asked', 'reason', 'claims', 'tried'];

/**
 * Checks the rules that apply to every response.
 * @throws Error that names the violated rule.
 */
export function checkInvariants(request: WireRequest, answer: Answer, keys: TargetKeys): void {
  const { status, headers, text } = answer;
  const method = request.method ?? 'GET';
  const faults: string[] = [];
  const demand = (holds: boolean, rule: string) => {
    if (!holds) faults.push(rule);
  };
  demand(status !== 500, 'no request is answered with an internal error');
  demand(
    status !== 429 || method === 'GET' || method === 'HEAD',
    '§7: 429 is reserved, except for slow reads (reading 8.9)',
  );
  // holds.md 2 adds holds that are over.
  const mayConflict = request.path === '/api/control/reset' || request.path.startsWith('/api/holds/');
  demand(status !== 409 || mayConflict, '§7: only a reset gets 409');
  for (const key of Object.values(keys)) demand(!text.includes(key), '§5 rule 3: no key in a body');
  for (const name of Object.keys(headers)) {
    demand(!name.startsWith('access-control-'), '§1 rule 8: no CORS headers');
    demand(!name.startsWith('x-ratelimit-'), '§8: no X-RateLimit headers until a limit exists');
  }
  if (method === 'HEAD' || status === 204 || status === 304) demand(text === '', `${method} ${status} has no body`);
  if (headers.etag !== undefined)
    demand(headers['cache-control'] === 'no-cache', 'reading 4.4: Cache-Control together with ETag');
  if (status === 201) demand(headers.location !== undefined, '§4: 201 has Location');
  if (status === 401) demand(headers['www-authenticate'] !== undefined, 'RFC 9110, 15.5.2: 401 has a challenge');
  if (status === 405) demand(headers.allow !== undefined, 'reading 1.9: 405 has Allow');
  if (status === 503 || status === 429)
    demand(/^[1-9]\d*$/.test(headers['retry-after'] ?? ''), '§7 rule 2: 429 and 503 have whole seconds in Retry-After');
  if (status >= 400 && !isPageForBrowser(request, answer)) faults.push(...problemFaults(request, answer));
  if (faults.length > 0) throw new Error(`${method} ${request.path} → ${status}: ${faults.join('; ')}: ${text}`);
}

/** Whether the response is the HTML page that browsers get for an unknown path (addition). */
function isPageForBrowser({ headers = {} }: WireRequest, answer: Answer): boolean {
  const sent = Object.entries(Array.isArray(headers) ? Object.fromEntries(headers) : headers);
  const isAskedFor = sent.some(([name, value]) => name.toLowerCase() === 'accept' && /text\/html/i.test(String(value)));
  return isAskedFor && answer.status === 404 && mediaType(answer) === 'text/html';
}

function problemFaults(request: WireRequest, answer: Answer): string[] {
  if (mediaType(answer) !== 'application/problem+json') return ['§7: every refusal is application/problem+json'];
  if (request.method === 'HEAD') return [];
  const problem = answer.json as Readonly<Record<string, unknown>>;
  const faults: string[] = [];
  if (problem.status !== answer.status) faults.push('§2 Problem: status is the HTTP status');
  if (problem.instance !== request.path.replace(/^http:\/\/[^/]*|\?.*$/gs, ''))
    faults.push('reading 8.4: instance is the path as sent');
  const known = [401, 403].includes(answer.status) ? [...problemMembers, ...accessMembers] : problemMembers;
  if (!Object.keys(problem).every((member) => known.includes(member))) faults.push('§2 Problem: members');
  for (const member of ['type', 'title', 'detail']) {
    if (typeof problem[member] !== 'string' || problem[member] === '') faults.push(`§2 Problem: ${member} is a string`);
  }
  const hasErrors = Array.isArray(problem.errors) && problem.errors.length > 0;
  // access.md 9.6: a 403 may also have errors.
  if (answer.status !== 403 && hasErrors !== (answer.status === 422))
    faults.push('§2 Problem: errors on 422 and only on 422');
  if (hasErrors && !(problem.errors as object[]).every(isFault)) faults.push('§2 Problem: items of errors');
  return faults;
}

function isFault(item: object): boolean {
  const { pointer, message } = item as Readonly<Record<string, unknown>>;
  return (
    isDeepStrictEqual(Object.keys(item).sort(), ['message', 'pointer']) &&
    typeof pointer === 'string' &&
    (pointer === '' || pointer.startsWith('/')) &&
    typeof message === 'string' &&
    message !== ''
  );
}
