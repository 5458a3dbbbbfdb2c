import { createClient } from '@shiplog/client';
import { streams } from '@shiplog/contract';
import type { News } from './messages.ts';
import { withServerClock } from './server-clock.ts';
import { Source } from './source.ts';

/** How long a call may take: a board of many thousand slots takes its time on a slow network. */
const timeoutMs = 60_000;

/** Starts the source of a browser, or of a tab: it runs for as long as the worker or the page does. */
export function startSource(baseUrl: string, tell: (news: News) => void): Pick<Source, 'greet' | 'wake'> {
  let clock: News | undefined;
  const client = withServerClock(createClient({ baseUrl, timeoutMs }), (offsetMs) => {
    clock = { kind: 'clock', offsetMs };
    tell(clock);
  });
  const source = new Source({
    client,
    streamUrl: `${baseUrl}${streams.deployments.path}`,
    removalsUrl: `${baseUrl}${streams.components.path}`,
    tell,
    signal: new AbortController().signal,
  });
  void source.run();
  return {
    greet: (tellOne) => {
      if (clock) tellOne(clock);
      source.greet(tellOne);
    },
    wake: () => source.wake(),
  };
}
