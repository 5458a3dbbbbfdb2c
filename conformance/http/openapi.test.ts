import type { DocumentedOperation } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { allFields, requiredFields, textFields } from '../support/specification.ts';
import { suite } from '../support/suite.ts';

/** §4 and §5: the operations in the scope of this suite, each with its key and its statuses. */
const operations = [
  ['post', '/api/deployments', 'X-Api-Key', ['201', '401', '413', '422', '429', '503']],
  ['get', '/api/deployments', undefined, ['200', '422', '503']],
  ['get', '/api/deployments/{id}', undefined, ['200', '404', '503']],
  ['get', '/api/matrix', undefined, ['200', '304', '422', '503']],
  ['get', '/api/services', undefined, ['200', '503']],
  ['get', '/api/environments', undefined, ['200', '503']],
  ['get', '/api/events/stream', undefined, ['200', '422', '503']],
  ['get', '/api/fetcher/state/{adapter}', 'X-Api-Key', ['200', '401', '404', '422', '503']],
  ['put', '/api/fetcher/state/{adapter}', 'X-Api-Key', ['204', '401', '413', '422', '503']],
  ['post', '/api/control/reset', 'X-Control-API-Key', ['202', '401', '409', '413', '503']],
  ['get', '/api/control/stream', 'X-Control-API-Key', ['200', '401', '422', '503']],
  ['post', '/api/control/events', 'X-Api-Key', ['204', '401', '413', '422', '503']],
  ['get', '/api/control/events', undefined, ['200', '422', '503']],
  ['get', '/api/control/events/stream', undefined, ['200', '503']],
  ['get', '/healthz', undefined, ['200']],
  ['get', '/api/version', undefined, ['200']],
  ['get', '/readyz', undefined, ['200', '503']],
] as const;

/** Reading 3.2: an optional field may be `null`, which counts as absent. */
const orNull = (type: string) => [type, 'null'];

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

suite('OpenAPI document', (api) => {
  const operation = (method: string, path: string): DocumentedOperation => {
    const found = api.document.paths[path]?.[method];
    if (!found) throw new Error(`the document has no ${method} ${path}`);
    return found;
  };
  const schema = (name: string) => api.document.components.schemas[name] as ObjectSchema;
  const ingestName = api.differs('ingestStatuses') ? 'MockEventIngest' : 'DeploymentEventIngest';
  const parameter = (path: string, name: string) =>
    operation('get', path).parameters?.find((candidate) => candidate.name === name);

  test('§9 rule 1: the document is OpenAPI 3.1, and the contract has version 1.0.0', async () => {
    const answer = await api.get('/openapi.json');
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(api.document.openapi).toMatch(/^3\.1\./);
    expect(api.document.info.version).toBe('1.0.0');
  });

  test('§9 rules 1 and 3: no path has a version segment', () => {
    expect(Object.keys(api.document.paths).filter((path) => /\/v\d/.test(path))).toEqual([]);
  });

  const served = operations.filter(([, path]) => api.serves(path));

  test.each(served)('§4: %s %s is documented with all its responses', (method, path, _, statuses) => {
    expect(Object.keys(operation(method, path).responses)).toEqual(expect.arrayContaining([...statuses]));
  });

  test.each(served)('§5: %s %s documents its key', (method, path, key) => {
    const names = (operation(method, path).security ?? []).flatMap((demand) => Object.keys(demand));
    const headers = names.map((name) => api.document.components.securitySchemes[name]?.name);
    expect(headers).toEqual(key === undefined ? [] : [key]);
  });

  test('§7: every documented error response is a problem', () => {
    for (const [path, methods] of Object.entries(api.document.paths)) {
      for (const [method, { responses }] of Object.entries(methods)) {
        for (const [status, response] of Object.entries(responses)) {
          if (Number(status) < 400) continue;
          expect(Object.keys(response.content ?? {}), `${method} ${path} ${status}`).toEqual([
            'application/problem+json',
          ]);
        }
      }
    }
  });

  test('§2 DeploymentEventIngest: the body allows only the fields of the table', () => {
    const ingest = schema(ingestName);
    expect(ingest.additionalProperties).toBe(false);
    expect(Object.keys(ingest.properties).sort()).toEqual([...allFields].sort());
    expect([...(ingest.required ?? [])].sort()).toEqual([...requiredFields].sort());
    const body = operation('post', '/api/deployments').requestBody?.content['application/json']?.schema;
    expect(body).toEqual({ $ref: `#/components/schemas/${ingestName}` });
  });

  test.each(textFields)('§8: the document states the limit of %s', (field, min, max) => {
    const property = schema(ingestName).properties[field];
    const isRequired = requiredFields.some((name) => name === field);
    expect(property).toMatchObject({ type: isRequired ? 'string' : orNull('string'), maxLength: max });
    expect(property?.minLength ?? 0).toBe(min);
  });

  test('§8: the document states the limits of the other fields', () => {
    const { properties } = schema(ingestName);
    expect(properties.run_url).toMatchObject({ type: orNull('string'), format: 'uri', maxLength: 2048 });
    expect(properties.happened_at).toMatchObject({ type: 'string', format: 'date-time' });
    const status = properties.status?.enum ?? (schema('Status') as unknown as { readonly enum: unknown }).enum;
    expect(status).toEqual(api.statuses);
    expect(properties.parent_deployments).toMatchObject({
      type: orNull('array'),
      maxItems: 32,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 200 },
    });
  });

  test('§9 rule 5: responses may have additional members', () => {
    for (const name of ['DeploymentEvent', 'DeploymentEventPage', 'Matrix', 'DiscoveryList', 'Problem']) {
      expect(schema(name).additionalProperties, name).not.toBe(false);
    }
  });

  test('§4: the parameters of the listing are documented with their rules', () => {
    const names = operation('get', '/api/deployments').parameters?.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'service',
        'environment',
        'status',
        'deployment_id',
        'since',
        'until',
        'cursor',
        'limit',
      ]),
    );
    const limit = parameter('/api/deployments', 'limit')?.schema;
    expect(limit).toMatchObject({ type: 'integer', minimum: 1, maximum: 500, default: 100 });
    expect(parameter('/api/deployments', 'since')?.schema).toMatchObject({ format: 'date-time' });
    expect(parameter('/api/deployments', 'status')?.schema).toEqual({ $ref: '#/components/schemas/Status' });
    expect(parameter('/api/deployments', 'cursor')?.schema).toMatchObject({ minLength: 1, maxLength: 200 });
  });

  test('§4, readings 3.9, 6.3 and 6.4: additional parameters and headers are documented', () => {
    const headersOf = (method: string, path: string, status: string) =>
      Object.keys(operation(method, path).responses[status]?.headers ?? {});
    expect(headersOf('post', '/api/deployments', '201')).toContain('Location');
    const position = api.differs('streamPosition') ? [] : ['X-Stream-Position'];
    expect(headersOf('get', '/api/matrix', '200').sort()).toEqual(['ETag', ...position]);
    expect(headersOf('get', '/api/matrix', '304').sort()).toEqual(['ETag', ...position]);
    expect(headersOf('get', '/api/deployments', '200')).toEqual(position);
    expect(headersOf('get', '/api/events/stream', '200')).toContain('X-Stream-Resume');
    expect(headersOf('post', '/api/deployments', '503')).toContain('Retry-After');
    expect(headersOf('post', '/api/deployments', '429')).toContain('Retry-After');
    expect(headersOf('post', '/api/deployments', '401')).toContain('WWW-Authenticate');
    expect(parameter('/api/events/stream', 'last_event_id')?.in).toBe('query');
    expect(parameter('/api/events/stream', 'Last-Event-ID')?.in).toBe('header');
    expect(parameter('/api/events/stream', 'service')?.in).toBe('query');
    expect(parameter('/api/matrix', 'If-None-Match')?.in).toBe('header');
  });

  test('§9 rule 1: every reference in the document resolves', () => {
    const references = [...JSON.stringify(api.document).matchAll(/"\$ref":"#([^"]*)"/g)].map(
      ([, pointer = '']) => pointer,
    );
    expect(references.length).toBeGreaterThan(10);
    for (const pointer of references) expect(valueAt(api.document, pointer), pointer).toBeDefined();
  });

  test('§5 rule 1: the credentials are documented as headers', () => {
    const schemes = Object.values(api.document.components.securitySchemes);
    const taken = served.flatMap(([, , key]) => key ?? []);
    expect(schemes.map(({ name }) => name).sort()).toEqual([...new Set(taken)].sort());
    for (const scheme of schemes) expect(scheme).toMatchObject({ type: 'apiKey', in: 'header' });
  });
});

function valueAt(document: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (value as Readonly<Record<string, unknown>> | undefined)?.[part], document);
}
