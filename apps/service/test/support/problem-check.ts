import type { HttpAnswer } from './http-client.ts';

/**
 * What is wrong with an answer, whatever the request was: a status that blames the service, an error without a problem
 * body, a problem that breaks its shape (§7, reading 1.9). Empty where all is well.
 */
export function answerFaults({ status, headers, text }: HttpAnswer, method: string): string[] {
  if (status >= 500) return [`a ${status}`];
  if (status < 300 || status === 304) return [];
  const type = headers['content-type'];
  if (type !== 'application/problem+json') return [`a ${status} of type ${type}`];
  return method === 'HEAD' ? [] : problemFaults(text, status);
}

function problemFaults(text: string, status: number): string[] {
  let problem: unknown;
  try {
    problem = JSON.parse(text);
  } catch {
    return [`a ${status} whose body is no JSON: ${text}`];
  }
  if (typeof problem !== 'object' || problem === null) return [`a ${status} whose body is no object`];
  const members = new Map(Object.entries(problem));
  const faults = ['type', 'title', 'detail', 'instance']
    .filter((name) => typeof members.get(name) !== 'string')
    .map((name) => `a ${status} whose problem has no ${name}`);
  if (members.get('status') !== status) faults.push(`a ${status} whose problem says ${members.get('status')}`);
  if ((status === 422) !== members.has('errors')) faults.push(`a ${status} with errors, or a 422 without`);
  const errors = members.get('errors') ?? [];
  if (!Array.isArray(errors) || !errors.every(isFault)) faults.push(`a ${status} whose errors break their shape`);
  const unknown = [...members.keys()].filter((name) => !known.includes(name));
  return [...faults, ...unknown.map((name) => `a ${status} whose problem has the unknown member ${name}`)];
}

const known = ['type', 'title', 'status', 'detail', 'instance', 'errors', 'checks'];

function isFault(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { pointer, message } = error as { pointer?: unknown; message?: unknown };
  return typeof pointer === 'string' && /^(\/.*)?$/s.test(pointer) && typeof message === 'string' && message !== '';
}
