import type { StreamReader } from '@shiplog/testing';
import { type Api, eventsOf, unique } from './api.ts';
import { Control } from './control.ts';

interface Item {
  readonly id: string;
}

/** A stream that tests can write to, so that one test can cover a rule for every stream. */
export interface Feed {
  /** Stores one item and returns it as the stream must send it. */
  store(): Promise<Item>;
  open(headers?: Readonly<Record<string, string>>): Promise<StreamReader>;
  /** The items received on a stream so far, without items of other tests. */
  own(stream: StreamReader): Item[];
}

/** The streams of the target by name. Excludes the control stream, because only a reset writes to it. */
export function feedsOf(api: Api): readonly (readonly [string, (api: Api) => Feed])[] {
  const feeds = [
    ['deployment', deploymentFeed, '/api/events/stream'],
    ['component', componentFeed, '/api/control/events/stream'],
  ] as const;
  return feeds.filter(([, , path]) => api.serves(path)).map(([name, feedOf]) => [name, feedOf]);
}

function deploymentFeed(api: Api): Feed {
  const service = unique();
  return {
    store: () => api.append({ service }),
    open: (headers) => api.stream({ service }, headers),
    own: (stream) => eventsOf<Item>(stream.frames),
  };
}

function componentFeed(api: Api): Feed {
  const control = new Control(api);
  const component = unique('component');
  return {
    store: () => control.record({}, { 'X-Component-Id': component }),
    open: (headers) => control.componentStream(headers),
    own: (stream) =>
      eventsOf<Item & { component_id: string }>(stream.frames).filter((item) => item.component_id === component),
  };
}

/** Stores some items in order. */
export async function storeAll(feed: Feed, count: number): Promise<Item[]> {
  const stored: Item[] = [];
  for (let n = 0; n < count; n += 1) stored.push(await feed.store());
  return stored;
}

/** Resolves with the first items of a feed that arrive on a stream. */
export async function takeOwn(feed: Feed, stream: StreamReader, count: number): Promise<Item[]> {
  await stream.until(() => feed.own(stream).length >= count || stream.ended);
  return feed.own(stream);
}
