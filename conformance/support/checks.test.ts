import { type Answer, answerOf, type OpenApiDocument, type Schema } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { DocumentCheck } from './document-check.ts';
import { checkInvariants } from './invariants.ts';

const keys = { api: 'secret-a', control: 'secret-b' };
const problemSchema: Schema = { type: 'object', required: ['status'], properties: { status: { type: 'integer' } } };
const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Example', version: '1.0.0' },
  paths: {
    '/things': {
      get: {
        security: [],
        parameters: [],
        responses: {
          200: {
            headers: { ETag: { $ref: '#/components/headers/ETag' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Things' } } },
          },
          204: {},
          404: { content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } },
        },
      },
    },
  },
  'x-problems': [],
  components: {
    schemas: { Things: { type: 'object', required: ['items'] }, Problem: problemSchema },
    securitySchemes: {},
    headers: { ETag: { schema: { type: 'string', pattern: '^W/' } as { type: string } } },
  },
};

function answer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  const type = status >= 400 ? 'application/problem+json' : 'application/json';
  const text = body === '' ? '' : JSON.stringify(body);
  return answerOf({ status, headers: { 'content-type': type, ...headers }, text });
}

const problem = (status: number, more = {}) => ({
  type: '/problems/x',
  title: 'X',
  status,
  detail: 'x',
  instance: '/things',
  ...more,
});
const errors = [{ pointer: '/a', message: 'is wrong' }];

describe('the checks in this suite', () => {
  const check = new DocumentCheck(document);

  test.each<[string, Answer]>([
    ['a success', answer(200, { items: [] }, { etag: 'W/"a"' })],
    ['a response without a body', answer(204, '')],
    ['a refusal', answer(404, { status: 404 })],
  ])('the document check accepts %s that is documented', (_, given) => {
    expect(() => check.check({ path: '/things?x=1' }, given)).not.toThrow();
  });

  test.each<[string, string, Answer]>([
    ['a status', '/things', answer(202, {})],
    ['a body', '/things', answer(200, { item: [] })],
    ['a body in a response that should have none', '/things', answer(204, { items: [] })],
    ['a media type', '/things', answer(200, { items: [] }, { 'content-type': 'text/plain' })],
    ['a header', '/things', answer(200, { items: [] }, { etag: '"strong"' })],
    ['a problem', '/things', answer(404, { status: '404' })],
    ['a path', '/other', answer(200, { items: [] })],
    ['a problem for an unknown path', '/other', answer(404, {})],
  ])('the document check reports %s that is not documented', (_, path, given) => {
    expect(() => check.check({ path }, given)).toThrow();
  });

  test.each<[string, Answer]>([
    ['a success', answer(200, {})],
    ['a 422', answer(422, problem(422, { errors }))],
    ['a 405', answer(405, problem(405), { allow: 'GET' })],
    ['a 503', answer(503, problem(503), { 'retry-after': '5' })],
  ])('the invariants accept %s', (_, given) => {
    expect(() => checkInvariants({ path: '/things?x' }, given, keys)).not.toThrow();
  });

  test('the invariants accept a 409 for a second reset', () => {
    const conflict = answer(409, problem(409, { instance: '/api/control/reset' }));
    expect(() => checkInvariants({ method: 'POST', path: '/api/control/reset' }, conflict, keys)).not.toThrow();
  });

  test.each<[string, Answer]>([
    ['an internal error', answer(500, problem(500))],
    ['a conflict', answer(409, problem(409))],
    ['a key in a body', answer(200, { note: 'secret-b' })],
    ['a CORS header', answer(200, {}, { 'access-control-allow-origin': '*' })],
    ['a rate limit header', answer(200, {}, { 'x-ratelimit-limit': '1' })],
    ['a 304 with a body', answer(304, {})],
    ['an ETag without Cache-Control', answer(200, {}, { etag: 'W/"a"' })],
    ['a 201 without Location', answer(201, {})],
    ['a 405 without Allow', answer(405, problem(405))],
    ['a 503 without Retry-After', answer(503, problem(503))],
    ['a Retry-After with a date', answer(503, problem(503), { 'retry-after': 'Tue, 05 May 2026 00:00:00 GMT' })],
    ['an error response that is not a problem document', answer(404, {}, { 'content-type': 'application/json' })],
    ['a problem with another status', answer(404, problem(400))],
    ['another instance', answer(404, problem(404, { instance: '/things?x' }))],
    ['an unknown member', answer(404, problem(404, { trace: 'x' }))],
    ['a missing detail', answer(404, problem(404, { detail: undefined }))],
    ['a 422 without errors', answer(422, problem(422))],
    ['a 404 with errors', answer(404, problem(404, { errors }))],
    ['an error without a message', answer(422, problem(422, { errors: [{ pointer: '/a' }] }))],
    ['an invalid pointer', answer(422, problem(422, { errors: [{ pointer: 'a', message: 'x' }] }))],
  ])('the invariants report %s', (_, given) => {
    expect(() => checkInvariants({ path: '/things?x' }, given, keys)).toThrow();
  });
});
