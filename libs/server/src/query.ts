import { emptyIsAbsent, limits } from '@shiplog/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import { Problem } from './problem.ts';
import { decoded } from './url.ts';

/** Longer than any stored name, and invalid for every other rule. */
const matchesNothing = '\ufffd'.repeat(limits.runUrl + 1);

type QueryValues = Record<string, string | string[]>;

/** Replaces a query that has too many parameters. Such a query is not parsed. */
const tooManyPairs: QueryValues = Object.freeze(Object.create(null));

/**
 * Query parameters by name; repeated parameters become an array. A value with NUL or broken percent-encoding becomes a
 * text that matches nothing as a filter and is an error elsewhere (readings 1.3 and 1.6). Runs in linear time, because
 * the query is parsed before the key is checked.
 */
export function parseQuery(query: string): QueryValues {
  const values: QueryValues = Object.create(null);
  const pairs = query.split('&').filter((pair) => pair !== '');
  if (pairs.length > limits.queryPairs) return tooManyPairs;
  for (const pair of pairs) {
    const equalsAt = pair.indexOf('=');
    const rawName = equalsAt < 0 ? pair : pair.slice(0, equalsAt);
    const name = decoded(rawName.replaceAll('+', ' '));
    if (name === undefined) continue;
    const text = decoded((equalsAt < 0 ? '' : pair.slice(equalsAt + 1)).replaceAll('+', ' '));
    const value = text === undefined || text.includes('\0') ? matchesNothing : text;
    const earlier = values[name];
    if (Array.isArray(earlier)) earlier.push(value);
    else values[name] = earlier === undefined ? value : [earlier, value];
  }
  return values;
}

interface QueryProperty {
  readonly type?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly [emptyIsAbsent]?: true;
}

/**
 * Converts the query to the types of its schema (reading 1.3): decimal digits become an integer, an empty filter counts
 * as absent, and a list omits values that match nothing unless it is too long anyway (questions.md 12.2).
 */
export function declaredQuery(query: Record<string, unknown>, shape: TObject): Record<string, unknown> {
  const values = { ...query };
  for (const [name, property] of Object.entries<QueryProperty>(shape.properties)) {
    const value = values[name];
    if (value === '' && property[emptyIsAbsent]) delete values[name];
    if (value === matchesNothing) values[name] = matchesNothing.slice(0, property.maxLength);
    if (property.type === 'array' && value !== undefined) {
      const sent = [value].flat();
      const isTooLong = sent.length > (property.maxItems ?? Number.POSITIVE_INFINITY);
      values[name] = isTooLong ? sent : sent.filter((text) => text !== matchesNothing);
    }
    if (property.type === 'integer' && typeof value === 'string' && /^\d+$/.test(value)) values[name] = Number(value);
  }
  return values;
}

/** Rejects a query with too many parameters, even on a path that has none. A missing key is reported first. */
export function judgeQuery(request: FastifyRequest, _reply: FastifyReply, done: (problem?: Problem) => void): void {
  if (request.query !== tooManyPairs) {
    done();
    return;
  }
  const message = `must have at most ${limits.queryPairs} parameters`;
  const detail = `The query has more than ${limits.queryPairs} parameters; send fewer.`;
  done(new Problem('validation', { detail, errors: [{ pointer: '', message }] }));
}
