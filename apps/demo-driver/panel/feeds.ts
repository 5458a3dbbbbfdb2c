import type { Fields } from '@shiplog/panels/ui/api.ts';
import { type FeedState, follow } from '@shiplog/panels/ui/follow.ts';
import { driverPaths as paths } from '@shiplog/panels/ui/paths.ts';

type FeedName = 'posted' | 'control' | 'components' | 'deployments';

/** What the driver's feeds deliver: a frame, or the state of all feeds. */
export type FeedUpdate =
  | { readonly feed: FeedName; readonly name: string; readonly data: Fields }
  | { readonly states: Readonly<Record<string, FeedState>> };

const feeds: Readonly<Record<FeedName, readonly [url: string, ...names: string[]]>> = {
  posted: [paths.streamPosted, 'posted', 'error'],
  control: [paths.streamDemoControl, 'reset-initiated', 'reset-started', 'reset-completed', 'reset-aborted'],
  components: [paths.streamDemoComponents, 'component'],
  deployments: [paths.streamDemoDeployments, 'deployment'],
};

/** Follows the driver's four feeds. The returned function delivers their states again. */
export function followAll(deliver: (update: FeedUpdate) => void): () => void {
  const states: Record<string, FeedState> = {};
  const deliverStates = () => deliver({ states });
  for (const [feed, [url, ...names]] of Object.entries(feeds) as [FeedName, [string, ...string[]]][]) {
    states[feed] = 'reconnecting';
    follow({
      url: new URL(url, pageUrl()).href,
      names,
      onFrame: (name, data) => deliver({ feed, name, data }),
      onState: (state) => {
        states[feed] = state;
        deliverStates();
      },
    });
  }
  return deliverStates;
}

/**
 * The page's address. A worker gets the address as its name, because its own `location` is the address of its script.
 */
function pageUrl(): string {
  return 'document' in globalThis ? document.baseURI : self.name;
}

/**
 * Like `followAll`, but through one worker for all tabs: over HTTP/1.1 browsers allow six connections per host, and a
 * second tab with four more feeds would leave none for calls.
 */
export function followTogether(deliver: (update: FeedUpdate) => void): void {
  if (!('SharedWorker' in globalThis)) return void followAll(deliver);
  const name = new URL('.', document.baseURI).href;
  const worker = new SharedWorker(new URL('./feeds-worker.ts', import.meta.url), { type: 'module', name });
  worker.port.onmessage = ({ data }) => deliver(data);
  worker.onerror = () => followAll(deliver);
}
