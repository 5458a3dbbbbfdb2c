import { join } from 'node:path';
import { demoDataFolder, eventAt, loadScenario, type Scenario } from '@shiplog/scenarios';
import { inGroups, postStored, testDatabase, testService } from '@shiplog/testing';

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
