import { createClient } from '@shiplog/client';
import { anEvent, StreamReader, testDatabase, testKeys, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';

test('a posted event arrives on the stream, in the listing and in the matrix', async () => {
  const database = await testDatabase();
  const service = await testService({ databaseUrl: database.url });
  const client = createClient({ baseUrl: service.url, keys: testKeys });
  const stream = await StreamReader.open({ url: `${service.url}/api/events/stream` });
  const posted = await client.appendDeployment({ body: anEvent({ version: '1.4.2' }) });
  const [frame] = await stream.take(1);
  expect(frame?.id).toBe(posted.body.id);
  expect(JSON.parse(frame?.data ?? '')).toEqual(posted.body);
  expect((await client.listDeployments()).body.items).toEqual([posted.body]);
  const matrix = await client.getMatrix();
  expect(matrix.body.rows).toEqual([{ service: 'payments-api', slots: { staging: { current: posted.body } } }]);
});
