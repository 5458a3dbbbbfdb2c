/** @typedef {'live' | 'reconnecting'} FeedState */

/**
 * Follows an event stream for good. The browser comes back by itself when a connection ends, but gives up on any answer
 * that is no stream, as a 502: that is tried anew, from the id read last. A frame may be named `error`: the browser's own
 * event of that name carries no data (reading 9.9).
 * @param {{
 *   url: string,
 *   names: readonly string[],
 *   onFrame: (name: string, data: Fields) => void,
 *   onState: (state: FeedState) => void,
 * }} options
 */
export function follow({ url, names, onFrame, onState }) {
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
          // What is no JSON is no frame of ours.
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
