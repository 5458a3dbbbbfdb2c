import type { Problem } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing';
import { expect } from 'vitest';

/** The core's problem kinds by slug, with their statuses (reading 8.4). */
export const refusalStatuses = {
  validation: 422,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  'payload-too-large': 413,
  'reset-in-progress': 503,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof refusalStatuses;

/** Expects a problem of this kind, by default with the kind's main status. */
export function expectRefusal(answer: Answer, kind: RefusalKind, status: number = refusalStatuses[kind]): Problem {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
  const problem = answer.json as Problem;
  expect(problem.type.replace(/^.*\//, '')).toBe(kind);
  return problem;
}

/** Expects a 422 that has exactly these pointers, each at least once. */
export function expectFaults(answer: Answer, pointers: readonly string[]): void {
  const { errors = [] } = expectRefusal(answer, 'validation');
  expect([...new Set(errors.map((fault) => fault.pointer))].sort()).toEqual([...pointers].sort());
}
