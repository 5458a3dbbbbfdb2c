import { expect, test } from 'vitest';
import type { ServedEndpoints } from '../src/endpoint.ts';
import { endpoints } from '../src/endpoints.ts';
import { openApiDocument } from '../src/openapi/document.ts';
import { problemKinds } from '../src/problems.ts';

const document = JSON.parse(JSON.stringify(openApiDocument({ served: endpoints, problemBase: '/problems' })));

test('the document has exactly the served endpoints', () => {
  const paths = (served: ServedEndpoints) =>
    Object.values(served)
      .map(({ method, path }) => `${method.toLowerCase()} ${path}`)
      .sort();
  const listed = (made: { paths?: unknown }) =>
    Object.entries(made.paths as Record<string, object>)
      .flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
      .sort();
  expect(listed(document)).toEqual(paths(endpoints));
  const served = { getMatrix: endpoints.getMatrix };
  expect(listed(openApiDocument({ served, problemBase: '/problems' }))).toEqual(paths(served));
});

test('every reference in the document resolves', () => {
  const text = JSON.stringify(document);
  const references = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? ''));
  expect(references.size).toBeGreaterThan(10);
  for (const reference of references) {
    const target = reference
      .split('/')
      .reduce<Record<string, unknown> | undefined>(
        (place, name) => place?.[name] as Record<string, unknown> | undefined,
        document,
      );
    expect(target, reference).toBeDefined();
  }
});

test('each operation declares exactly the parameters in its path template', () => {
  for (const [path, item] of Object.entries<Record<string, { parameters: { name: string; in: string }[] }>>(
    document.paths,
  )) {
    for (const operation of Object.values(item)) {
      const declared = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      expect(declared).toEqual([...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]));
    }
  }
});

test('the document lists every kind of problem under the configured base', () => {
  const types = document['x-problems'].map((problem: { type: string }) => problem.type);
  expect(types).toEqual(Object.keys(problemKinds).map((kind) => `/problems/${kind}`));
});

test('the same arguments always give the same document', () => {
  expect(JSON.stringify(openApiDocument({ served: endpoints, problemBase: '/problems' }))).toBe(
    JSON.stringify(document),
  );
});
