import type { AccessSelf, BoardFacts, DeploymentEvent, MatrixRow } from '@shiplog/contract';

/** The state of the browser's connection to the log. */
export type Link =
  | 'connecting'
  /** Changes arrive as they are stored. */
  | 'live'
  /** The stream is down, so the matrix is polled. */
  | 'polling'
  | 'away'
  /** The reader's session has ended. Nothing follows before the page is loaded again. */
  | 'ended';

export interface LinkState {
  readonly link: Link;
  readonly reason: string | undefined;
  /** When the board was last known to match the service's board, in ms since the epoch; 0 = never. */
  readonly asOf: number;
  /** When the stream broke, in ms since the epoch; `undefined` if it is connected or was never lost. */
  readonly lostAt?: number | undefined;
}

/** `stages` is empty if the service doesn't provide facts. */
export type TabFacts = Pick<BoardFacts, 'stages' | 'places' | 'emitters'>;

export type TabMessage =
  /** Sent to a new tab, and for changes that can't be expressed as rows. */
  | {
      readonly kind: 'board';
      /** Environments and rows as JSON, which reaches a tab in half the time of copied objects. */
      readonly json: string;
    }
  | {
      readonly kind: 'events';
      readonly events: readonly DeploymentEvent[];
      readonly rows: readonly MatrixRow[];
      /** Events after this id are fresh. `undefined` while the source is catching up, when no events are fresh. */
      readonly head: string | undefined;
    }
  /** Events up to this id may not have been sent; `''` = unknown. */
  | { readonly kind: 'missed'; readonly upTo: string }
  | { readonly kind: 'removed'; readonly id: string }
  /** A hold or its exceptions have changed, or an outage has. */
  | { readonly kind: 'notices-changed' }
  /** The log was cleared, so tabs discard the events that they have. */
  | { readonly kind: 'cleared' }
  | {
      readonly kind: 'facts';
      /** `undefined` = unchanged. */
      readonly facts: TabFacts | undefined;
      /** The facts include all events up to this id. */
      readonly position: string;
    }
  /** How far the service's clock is ahead of this machine's clock. Ages use the service's clock. */
  | { readonly kind: 'clock'; readonly offsetMs: number }
  /** The reader, where reads are guarded. */
  | { readonly kind: 'reader'; readonly reader: AccessSelf }
  | ({ readonly kind: 'link' } & LinkState);

export type Call =
  /** The page is visible again, or the machine is online again. */
  | { readonly kind: 'wake' }
  /** The page is visible. */
  | { readonly kind: 'seen' }
  /** A request of the page was refused, so the session may have ended. */
  | { readonly kind: 'doubt' }
  | { readonly kind: 'bye' };
