import { firstPass } from './fetcher/first-pass.ts';
import { posting } from './fetcher/posting.ts';
import { quietHour } from './fetcher/quiet-hour.ts';
import { webhooks } from './fetcher/webhooks.ts';
import type { Outcome } from './harness/outcome.ts';

/** P17 to P20, the fetcher: its posting rate, requests, memory and delay. */
export async function fetcher(): Promise<Outcome> {
  const posted = await posting();
  const quiet = await quietHour();
  const { figures: first, curve } = await firstPass();
  return { figures: [...posted, ...quiet, ...first, ...(await webhooks())], curves: [curve] };
}
