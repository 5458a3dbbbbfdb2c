import type { Problem } from '@shiplog/contract';
import type { Answer } from '@shiplog/testing';
import { expect } from 'vitest';

/** Readings 8.4: the kinds of problem that the core answers with, by slug. */
export const refusalStatuses = {
  validation: 422,
  unauthorized: 401,
  'not-found': 404,
  'method-not-allowed': 405,
  'payload-too-large': 413,
  'reset-in-progress': 503,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof refusalStatuses;

/** The answer refuses, with the type of this kind and its status, or another one where the kind has two. */
export function expectRefusal(answer: Answer, kind: RefusalKind, status: number = refusalStatuses[kind]): Problem {
  expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
  const problem = answer.json as Problem;
  expect(problem.type.replace(/^.*\//, '')).toBe(kind);
  return problem;
}

/** The answer is a 422 that points at exactly these places, each at least once. */
export function expectFaults(answer: Answer, pointers: readonly string[]): void {
  const { errors = [] } = expectRefusal(answer, 'validation');
  expect([...new Set(errors.map((fault) => fault.pointer))].sort()).toEqual([...pointers].sort());
}
