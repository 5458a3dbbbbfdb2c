import { setTimeout as delay } from 'node:timers/promises';
import {
  type CiEmission,
  type CiStatus,
  type CiWebhookRequest,
  emulatorEndpoints,
  type FetcherHealth,
  fetcherEndpoints,
  knownHookEvents,
  type OutageTool,
  outageTools,
} from '@shiplog/companions';
import { type Call, readJson, readText } from './calls.ts';
import type { HookSecrets } from './hook-secrets.ts';
import { emulatorName, fetcherName } from './programs.ts';
import type { Screen } from './screen.ts';

const pollMs = 200;

/** The addresses of the CI emulator and the fetcher. */
export interface Fetching {
  readonly emulator: string;
  readonly fetcher: string;
  readonly signal: AbortSignal;
}

/** The last segment of the fetcher's address for each tool, as in demo/fetcher.yaml. */
const hookOf: Readonly<Record<OutageTool, string>> = {
  ...{ github: 'github', gitlab: 'gitlab', pagerduty: 'pagerduty' },
  alertmanager: 'alerts',
};

/** Sets up the webhooks of all tools. @throws StartError if the emulator refuses. */
export async function addWebhooks(fetching: Fetching, secrets: HookSecrets): Promise<void> {
  for (const tool of outageTools) {
    const url = `${fetching.fetcher}${fetcherEndpoints.receiveDelivery.path.replace('{hook}', hookOf[tool])}`;
    const events = [...knownHookEvents(tool)];
    const body: CiWebhookRequest = { tool, url, secret: secrets[tool], events, past_outages: true };
    await readJson(toEmulator(fetching, emulatorEndpoints.addCiWebhook, body));
  }
}

/**
 * Waits until the fetcher has collected the tools' history, and prints the number of events.
 * @throws StartError if a program refuses.
 */
export async function awaitFetched(fetching: Fetching, screen: Screen): Promise<void> {
  const { repos } = await readJson<CiStatus>(toEmulator(fetching, emulatorEndpoints.getCiStatus));
  while (!isFetched(await readJson(toFetcher(fetching, fetcherEndpoints.getFetcherHealth.path)))) {
    screen.progress(`  fetcher: ${await eventsPosted(fetching)} events`);
    await delay(pollMs, undefined, { signal: fetching.signal });
  }
  screen.line(`  fetcher: ${await eventsPosted(fetching)} events of ${repos} repositories`);
}

/** Starts the emission of deployments in both tools. @throws StartError if the emulator refuses. */
export function emit(fetching: Fetching): Promise<CiEmission> {
  return readJson(toEmulator(fetching, emulatorEndpoints.emitCi, { enabled: true }));
}

/** A source that was never polled doesn't report a backfill either. */
function isFetched({ sources }: FetcherHealth): boolean {
  return sources.every(({ backfill, last_success_at }) => backfill === null && last_success_at !== null);
}

/** The log is empty when the demo starts, so this counts all events from the tools. */
async function eventsPosted(fetching: Fetching): Promise<number> {
  const text = await readText(toFetcher(fetching, '/metrics'));
  const counts = [...text.matchAll(/^shiplog_fetcher_events_total\{[^}]*result="posted"[^}]*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function toEmulator(
  { emulator, signal }: Fetching,
  { method, path }: { readonly method: 'GET' | 'POST'; readonly path: string },
  body?: object,
): Call {
  return { program: emulatorName, method, url: `${emulator}${path}`, signal, ...(body && { body }) };
}

function toFetcher({ fetcher, signal }: Fetching, path: string): Call {
  return { program: fetcherName, method: 'GET', url: `${fetcher}${path}`, signal };
}
