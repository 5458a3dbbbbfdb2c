import type { Fields } from './api.ts';

export type FeedState = 'live' | 'reconnecting';

export interface Followed {
  readonly url: string;
  readonly names: readonly string[];
  onFrame(name: string, data: Fields): void;
  onState(state: FeedState): void;
}

/**
 * Follows an event stream until the page is closed. The browser reconnects when a connection ends, but gives up after a
 * response that isn't a stream, such as a 502. In this case, this function reconnects from the last id. A frame may be
 * named `error`; unlike the browser's event of that name, it has data (reading 9.9).
 */
export function follow({ url, names, onFrame, onState }: Followed): void {
  let waitMs = 1000;
  let lastId = '';

  function open() {
    const source = new EventSource(lastId ? `${url}?last_event_id=${encodeURIComponent(lastId)}` : url);
    source.onopen = () => {
      waitMs = 1000;
      onState('live');
    };
    for (const name of names) {
      source.addEventListener(name, (event) => {
        if (!('data' in event)) return;
        lastId = event.lastEventId;
        try {
          onFrame(name, Object(JSON.parse(event.data)));
        } catch {
          // Shiplog sends only JSON frames, so ignore this one.
        }
      });
    }
    source.onerror = (event) => {
      if ('data' in event) return;
      onState('reconnecting');
      if (source.readyState !== EventSource.CLOSED) return;
      setTimeout(open, waitMs);
      waitMs = Math.min(waitMs * 2, 30_000);
    };
  }

  open();
}
