import { createClient } from '@shiplog/client';
import { streams } from '@shiplog/contract';
import type { News } from './messages.ts';
import { Source } from './source.ts';

/** How long a call may take: a board of many thousand slots takes its time on a slow network. */
const timeoutMs = 60_000;

/** Starts the source of a browser, or of a tab: it runs for as long as the worker or the page does. */
export function startSource(baseUrl: string, tell: (news: News) => void): Source {
  const source = new Source({
    client: createClient({ baseUrl, timeoutMs }),
    streamUrl: `${baseUrl}${streams.deployments.path}`,
    tell,
    signal: new AbortController().signal,
  });
  void source.run();
  return source;
}
