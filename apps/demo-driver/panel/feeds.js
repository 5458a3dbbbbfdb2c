import { follow } from './shared/follow.js';
import { driverPaths as paths } from './shared/paths.js';

/** @type {Record<FeedName, [url: string, ...names: string[]]>} */
const feeds = {
  posted: [paths.streamPosted, 'posted', 'error'],
  control: [paths.streamDemoControl, 'reset-initiated', 'reset-started', 'reset-completed', 'reset-aborted'],
  components: [paths.streamDemoComponents, 'component'],
  deployments: [paths.streamDemoDeployments, 'deployment'],
};

/**
 * Follows the four feeds of the driver; what it returns tells how they are, again.
 * @param {(news: News) => void} deliver
 */
export function followAll(deliver) {
  const states = /** @type {Record<FeedName, FeedState>} */ ({});
  const tell = () => deliver({ states });
  for (const feed of /** @type {FeedName[]} */ (Object.keys(feeds))) {
    const [url, ...names] = feeds[feed];
    states[feed] = 'reconnecting';
    follow({
      url,
      names,
      onFrame: (name, data) => deliver({ feed, name, data }),
      onState: (state) => {
        states[feed] = state;
        tell();
      },
    });
  }
  return tell;
}

export const channelName = 'shiplog-driver-feeds';

/**
 * The same through one worker for all tabs: browsers allow a host six connections over HTTP/1.1, and a second tab with
 * four feeds of its own would leave none for calls.
 * @param {(news: News) => void} deliver
 */
export function followTogether(deliver) {
  if (!('SharedWorker' in globalThis)) return void followAll(deliver);
  new BroadcastChannel(channelName).onmessage = ({ data }) => deliver(data);
  new SharedWorker('feeds-worker.js', { type: 'module' }).onerror = () => followAll(deliver);
}
