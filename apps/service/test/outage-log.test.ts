import { anEvent, NetworkProxy, testDatabase, testService } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { post } from './support/posting.ts';

test('an outage that fails hundreds of requests is logged once per reason', async () => {
  const database = await testDatabase();
  const proxy = await NetworkProxy.open(database.url);
  const lines: { level: number; msg: string; err?: { message: string } }[] = [];
  const service = await testService({
    databaseUrl: proxy.url,
    log: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  proxy.way = 'refused';
  for (let round = 0; round < 10; round++) {
    const posted = await Promise.all(Array.from({ length: 30 }, () => post(service.url, anEvent())));
    expect(posted.filter(({ status }) => status !== 503)).toEqual([]);
  }
  const told = lines.filter(({ msg }) => msg === "Can't reach the database. Try again later.");
  const reasons = told.map(({ err }) => err?.message.replace(/\d+/g, '#'));
  expect(reasons.length).toBeGreaterThan(0);
  expect(reasons).toEqual([...new Set(reasons)]);
});
