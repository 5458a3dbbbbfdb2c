import type { FeedState as State } from './files/follow.js';
import type * as marks from './files/marks.js';

/** The types that the panels' modules share: declared here, since what stands in a module goes over the wire. */
declare global {
  /** A JSON object whose members nothing has checked yet. */
  type Fields = Record<string, unknown>;
  type Child = Node | string | undefined | false;
  type Shape = keyof typeof marks.shapes;
  type FeedState = State;
  /** What became of a call: its answer, or a sentence for people. `retryAfter` is in seconds, 0 when it was not named. */
  type Reply<Value = Fields> =
    | { ok: true; value: Value; retryAfter: number }
    | { ok: false; status: number; message: string; retryAfter: number };
  /** How a state looks and reads; the shape's name is also a class, which colours `ok`, `run` and `bad`. */
  type Look = readonly [shape: Shape, label: string];
  type FeedName = 'posted' | 'control' | 'components' | 'deployments';
  /** What the driver's feeds say: a frame, or how the feeds are. */
  type News = { feed: FeedName; name: string; data: Fields } | { states: Record<FeedName, FeedState> };
  /** What the driver's cards need of the page. */
  interface Driver {
    /** Asks the driver how it is. */
    refresh(): void;
    /** Posts, shows in the element what went wrong, and gives the answer if there was one. */
    post(path: string, fault: HTMLElement, body?: object): Promise<Fields | undefined>;
  }
}
