import type { Post, SeenEvent } from '../history.ts';
import type { Violation } from './violation.ts';

/** A post with status 201. Its id and key are derived from a number. */
export function aPost(number: string, fields: Partial<Post> = {}): Post {
  const post = { key: `key-${number}`, id: number, sentAt: Number(number), answeredAt: Number(number) + 0.5 };
  return { ...post, completedBefore: 0, status: 201, problem: undefined, ...fields };
}

export function anEventSeen(id: string, fields: Partial<SeenEvent> = {}): SeenEvent {
  return { id, key: `key-${id}`, service: 'billing', digest: '', ...fields };
}

export function kinds(violations: readonly Violation[]): string[] {
  return violations.map(({ kind }) => kind);
}
