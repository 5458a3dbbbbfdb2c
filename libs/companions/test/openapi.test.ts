import { openApiDocument, type ServedEndpoints } from '@shiplog/contract';
import { expect, test } from 'vitest';
import {
  companionParts,
  driverEndpoints,
  emulatorEndpoints,
  fetcherEndpoints,
  mockApplicationEndpoints,
  mockEndpoints,
  relayEndpoints,
} from '../src/index.ts';

test.each<[string, ServedEndpoints, string]>([
  ['driver', driverEndpoints, 'DemoStatus'],
  ['mock', { ...mockApplicationEndpoints, ...mockEndpoints }, 'MockStatus'],
  ['CI emulator', emulatorEndpoints, 'CiStatus'],
  ['fetcher', fetcherEndpoints, 'FetcherHealth'],
  ['relay', relayEndpoints, 'RelayHealth'],
])('the OpenAPI document of the %s has the expected endpoints, shapes and tags', (_, served, shape) => {
  const document = JSON.parse(JSON.stringify(openApiDocument({ served, problemBase: '/problems', ...companionParts })));
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values);
  expect(operations.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(served).sort());
  expect(document.components.schemas).toHaveProperty(shape);
  for (const { name, description } of document.tags) expect(description).not.toBe(name);
});
