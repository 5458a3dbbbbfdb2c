import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { endpoints } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { readJsonObject } from '../src/body.ts';
import { invalid } from '../src/problem.ts';
import { declaredQuery, parseQuery } from '../src/query.ts';
import { pathAsSent, routableUrl } from '../src/url.ts';
import { declaredHeaders } from '../src/validation.ts';

function routed(target: string): string {
  const request = new IncomingMessage(new Socket());
  request.url = target;
  return routableUrl(request);
}

test.each([
  ['/api/deployments?limit=5', '/api/deployments?limit=5'],
  ['/api/deployments/a%20b', '/api/deployments/a%20b'],
  ['/api/deployments/%zz', '/api/deployments/%25zz'],
  ['/api/deployments/%ff?service=%zz', '/api/deployments/%25ff?service=%zz'],
  ['http://shiplog.example/api/matrix?service=a', '/api/matrix?service=a'],
  ['http://shiplog.example', '/'],
  ['*', '/*'],
])('the request target %s is routed as %s', (sent, expected) => {
  expect(routed(sent)).toBe(expected);
});

test('the path in a problem is the path as sent, without the query', () => {
  expect(pathAsSent('/api/deployments/%7Ea?x=1')).toBe('/api/deployments/%7Ea');
});

test.each([
  ['a=1&b=x+y&c=%C3%A9', { a: '1', b: 'x y', c: 'é' }],
  ['a=1&a=2&a=3', { a: ['1', '2', '3'] }],
  ['a&b=', { a: '', b: '' }],
  ['a=b=c&&', { a: 'b=c' }],
  ['__proto__=1', JSON.parse('{"__proto__":"1"}')],
])('the query %s is parsed as %j', (query, expected) => {
  expect({ ...parseQuery(query) }).toEqual(expected);
});

test('a value with NUL or invalid percent-encoding becomes longer than any name that can be stored', () => {
  for (const value of Object.values(parseQuery('a=%zz&b=%00&c=%ff'))) expect([...value].length).toBeGreaterThan(2048);
});

test('an empty filter counts as absent; an empty value of another parameter does not', () => {
  const { query } = endpoints.listDeployments;
  expect(
    declaredQuery({ service: '', environment: '', deployment_id: '', status: '', since: '', cursor: '' }, query),
  ).toEqual({
    status: '',
    since: '',
    cursor: '',
  });
});

test.each([
  ['10', 10],
  ['007', 7],
  ['1e2', '1e2'],
  ['+5', '+5'],
  ['-5', '-5'],
  [' 5', ' 5'],
  ['5.0', '5.0'],
  ['0x10', '0x10'],
  ['', ''],
  ['٣', '٣'],
])('the integer parameter %j becomes %j', (text, expected) => {
  expect(declaredQuery({ limit: text, service: '7' }, endpoints.listDeployments.query)).toEqual({
    limit: expected,
    service: '7',
  });
});

test('headers get their declared names, empty headers are omitted, and bytes are decoded as UTF-8 or Latin-1', () => {
  const { headers } = endpoints.reportComponentEvent;
  const latin1 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  expect(declaredHeaders({ 'x-component-id': '', 'x-correlation-id': latin1('grün'), other: 'x' }, headers)).toEqual({
    'X-Correlation-Id': 'grün',
  });
  expect(declaredHeaders({ 'x-correlation-id': 'gr\xfcn' }, headers)).toEqual({ 'X-Correlation-Id': 'gr\xfcn' });
});

test.each<[string, Buffer]>([
  ['nothing', Buffer.alloc(0)],
  ['not JSON', Buffer.from('{')],
  ['a number', Buffer.from('7')],
  ['null', Buffer.from('null')],
  ['an array', Buffer.from('[]')],
  ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['a byte order mark', Buffer.from('\ufeff{}')],
])('the error points to the whole body if the body is %s', (_, bytes) => {
  expect(readJsonObject(bytes)).toMatchObject({ error: { pointer: '' } });
});

test('the error for a byte order mark names it', () => {
  expect(readJsonObject(Buffer.from('\ufeff{"a":1}'))).toMatchObject({
    error: { message: expect.stringMatching(/byte order mark/) },
  });
  expect(readJsonObject(Buffer.from('{\ufeff}'))).toMatchObject({ error: { message: 'must be valid JSON' } });
});

test('the first hundred errors are reported, and all are counted', () => {
  const errors = Array.from({ length: 5000 }, (_, at) => ({ pointer: `/f${at}`, message: 'is not a known field' }));
  const { options } = invalid(errors);
  expect(options).toEqual({ detail: '/f0 is not a known field, and 4999 more.', errors: errors.slice(0, 100) });
});

test('the last value is used if a name occurs twice in a body', () => {
  expect(readJsonObject(Buffer.from('{"a":1,"a":2}'))).toMatchObject({ value: { a: 2 } });
});
