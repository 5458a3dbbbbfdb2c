import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';

/** The state of the browser's connection to the log. */
export type Link =
  | 'connecting'
  /** Changes come as they are stored. */
  | 'live'
  /** The stream is down and the matrix is asked for again and again. */
  | 'polling'
  /** Calls fail. */
  | 'away';

export interface LinkState {
  readonly link: Link;
  /** Why it is not live. */
  readonly reason: string | undefined;
  /** When the board was last known to be that of the service, in milliseconds since the epoch; 0 = never. */
  readonly asOf: number;
}

/** What the source tells each tab. */
export type News =
  /** The whole board, for a new tab, and where changed rows cannot tell it. */
  | { readonly kind: 'board'; readonly environments: readonly string[]; readonly rows: readonly MatrixRow[] }
  | {
      readonly kind: 'events';
      /** In the order of the log. */
      readonly events: readonly DeploymentEvent[];
      /** Rows of the board that have changed. */
      readonly rows: readonly MatrixRow[];
      /** Events after this id are new. The source had to catch up with the others (with all of them, if it is absent). */
      readonly head: string | undefined;
    }
  /** Events up to this one may not have been told; `''` = up to which is not known. */
  | { readonly kind: 'missed'; readonly upTo: string }
  /** An event was removed from the log. */
  | { readonly kind: 'removed'; readonly id: string }
  /** The log was cleared, and with it what the tabs have of it. */
  | { readonly kind: 'cleared' }
  /** The order of promotion. */
  | { readonly kind: 'ladder'; readonly ladder: readonly string[] }
  /** How far the service's clock is ahead of this machine's: ages are by the service's. */
  | { readonly kind: 'clock'; readonly offsetMs: number }
  | ({ readonly kind: 'link' } & LinkState);

/** News on its way from the worker to a tab. As a text, a large board takes half of the time that its copy would. */
export type Posted = News | string;

export function posted(news: News): Posted {
  return news.kind === 'board' ? JSON.stringify(news) : news;
}

export function newsIn(message: Posted): News {
  return typeof message === 'string' ? JSON.parse(message) : message;
}

/** What a tab tells the source. */
export type Call =
  /** The page is visible again, or the machine is back on its network. */
  | { readonly kind: 'wake' }
  /** The tab is gone. */
  | { readonly kind: 'bye' };
