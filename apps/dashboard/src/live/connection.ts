import { createClient } from '@shiplog/client';
import { type DeploymentEvent, promotionLadder } from '@shiplog/contract';
import { type Board, boardOf, withRows } from '../board/board.ts';
import { Store } from '../state/store.ts';
import { setServerClock } from '../ui/clock.tsx';
import type { Call, LinkState, News } from './messages.ts';

/** Where the service is: the page is served by it, below whatever path. */
export const baseUrl = new URL('.', document.baseURI).href.replace(/\/$/, '');
export const client = createClient({ baseUrl });

/** Events as they come, each once, with whether it happened just now. */
export type EventListener = (events: readonly DeploymentEvent[], isFresh: (event: DeploymentEvent) => boolean) => void;

/** What the page knows, kept by the source of this browser. */
export const board = new Store<Board | undefined>(undefined);
export const ladder = new Store<readonly string[]>(promotionLadder);
export const link = new Store<LinkState>({ link: 'connecting', reason: undefined, asOf: 0 });
const listeners = new Set<EventListener>();
const clearings = new Set<() => void>();
const gaps = new Set<(upTo: string) => void>();
/** Hidden for longer than this, a page has its connection looked after when it comes back. */
const hiddenMs = 60_000;

/** Gives what ends the listening. */
export function onEvents(listener: EventListener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls when the log was cleared; gives what ends that. */
export function onCleared(listener: () => void): () => void {
  clearings.add(listener);
  return () => void clearings.delete(listener);
}

/** Calls when events may not have been told, with the last of them (`''` = not known which); gives what ends that. */
export function onMissed(listener: (upTo: string) => void): () => void {
  gaps.add(listener);
  return () => void gaps.delete(listener);
}

/** Opens this page's way to the source. */
export async function connect(): Promise<void> {
  const say = 'SharedWorker' in window ? connectShared() : await connectAlone();
  let hiddenAt = 0;
  addEventListener('pagehide', () => say({ kind: 'bye' }));
  addEventListener('pageshow', ({ persisted }) => persisted && say({ kind: 'wake' }));
  addEventListener('online', () => say({ kind: 'wake' }));
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > hiddenMs) say({ kind: 'wake' });
  });
}

function connectShared(): (call: Call) => void {
  const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), { type: 'module', name: baseUrl });
  worker.port.onmessage = ({ data }: MessageEvent<News>) => take(data);
  let say = (call: Call) => worker.port.postMessage(call);
  // Too old a browser for modules in workers, or a worker's file that a newer service no longer has.
  worker.onerror = async () => {
    say = await connectAlone();
  };
  return (call) => say(call);
}

/** A browser without shared workers (Chrome on Android) has a source in each of its few tabs. */
async function connectAlone(): Promise<(call: Call) => void> {
  const { startSource } = await import('./start-source.ts');
  const source = startSource(baseUrl, take);
  return ({ kind }) => (kind === 'bye' ? undefined : source.wake());
}

function take(news: News): void {
  if (news.kind === 'link') link.set({ link: news.link, reason: news.reason, asOf: news.asOf });
  else if (news.kind === 'ladder') ladder.set(news.ladder);
  else if (news.kind === 'clock') setServerClock(news.offsetMs);
  else if (news.kind === 'board') board.set(boardOf({ environments: [...news.environments], rows: [...news.rows] }));
  else if (news.kind === 'missed') for (const listener of gaps) listener(news.upTo);
  else if (news.kind === 'cleared') for (const listener of clearings) listener();
  else {
    if (board.value) board.set(withRows(board.value, news.rows));
    const { head } = news;
    for (const listener of listeners) listener(news.events, ({ id }) => head !== undefined && id > head);
  }
}
