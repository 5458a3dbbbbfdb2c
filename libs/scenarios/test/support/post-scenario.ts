import { join } from 'node:path';
import { demoDataFolder, eventAt, loadScenario, type Scenario } from '@shiplog/scenarios';
import { inGroups, postStored, testDatabase, testService } from '@shiplog/testing';
import { expect } from 'vitest';

/** Thirty days of deployments for several services. */
export const historyEvents = loadScenario(join(demoDataFolder, 'history.json')).events;

/** Starts a separate service and posts the scenarios to it in order, with ages relative to now. Returns its URL. */
export async function serviceWith(now: Date, ...scenarios: readonly Pick<Scenario, 'events'>[]): Promise<string> {
  const { url: databaseUrl } = await testDatabase();
  const { url } = await testService({ databaseUrl });
  const posts = scenarios.flatMap(({ events }) => events.map((event) => eventAt(event, now)));
  await inGroups(posts, (event) => postStored(url, event));
  return url;
}

export async function readJson<Body>(url: string): Promise<Body> {
  const answer = await fetch(url);
  expect(answer.status, url).toBe(200);
  return (await answer.json()) as Body;
}
