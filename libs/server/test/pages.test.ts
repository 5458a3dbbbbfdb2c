import { type ApiDescription, endpoints } from '@shiplog/contract';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addContractPages } from '../src/pages.ts';

test('the OpenAPI document is created once, at the first request', async () => {
  let made = 0;
  const description: ApiDescription = {
    problemBase: '/problems',
    get served() {
      made += 1;
      return { getMatrix: endpoints.getMatrix };
    },
  };
  const app = fastify();
  addContractPages(app, description);
  await app.ready();
  expect(made).toBe(0);
  const first = await app.inject('/openapi.json');
  const second = await app.inject('/openapi.json');
  expect(Object.keys(first.json().paths)).toEqual(['/api/matrix']);
  expect(second.payload).toBe(first.payload);
  expect(made).toBe(1);
  await app.close();
});
