import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import { type AttentionFacts, noFacts } from '../board/attention-facts.ts';
import { type Board, emptyBoard } from '../board/board.ts';
import { type BoardContext, boardContext } from '../board/context.ts';
import type { Drifts } from '../board/drift.ts';
import type { FutureRows } from '../board/future-rows.ts';
import type { Ownership } from '../board/ownership.ts';
import { type Shown, shownOf } from '../board/shown.ts';
import type { AttentionFactsStore } from '../live/attention-facts.ts';
import type { CatalogStore } from '../live/catalog.ts';
import type { Connection } from '../live/connection.ts';
import type { FindingsBySlot, FindingsStore } from '../live/findings.ts';
import type { PastStore } from '../live/past-board.ts';
import { type RunningRequest, startRequest } from '../live/request.ts';
import type { Address } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';
import type { PreferenceStore } from '../state/preferences.ts';
import { type Store, useStore } from '../state/store.ts';

/** The objects that every component may use. `main.tsx` creates them once. */
export interface App {
  readonly navigation: Navigation;
  readonly preferences: PreferenceStore;
  readonly connection: Connection;
  readonly past: PastStore;
  /** When the outage began; `undefined` = no outage. */
  readonly outage: Store<number | undefined>;
  readonly futureRows: Store<FutureRows>;
  readonly catalog: CatalogStore;
  readonly ownership: Store<Ownership>;
  readonly attentionFacts: AttentionFactsStore;
  /** The quality findings of slots; empty until a component needs them. */
  readonly findings: FindingsStore;
  readonly drifts: Store<Drifts>;
}

const AppContext = createContext<App | undefined>(undefined);
export const AppProvider = AppContext.Provider;

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('a component was rendered outside the AppProvider');
  return app;
}

export function useAddress(): Address {
  return useStore(useApp().navigation.address);
}

/** The board that the page shows, current or past; `undefined` before the first one. */
export function useBoard(): Board | undefined {
  return useStore(useApp().connection.board);
}

/** The time that ages are relative to: now by the service's clock, or the time of the past board. */
export function useNow(): number {
  return useStore(useApp().connection.now);
}

/** The time of the past board that is shown; `undefined` = the current board is shown. */
export function usePast(): string | undefined {
  return useStore(useApp().past).shown;
}

/** The part of the board that matches the filters; empty before the first board. */
export function useShown(): Shown {
  const board = useBoard() ?? emptyBoard;
  return shownOf(board, useAddress(), useBoardContext());
}

/** The service's facts about attention. They describe the present, so they are empty for a past board. */
export function useFacts(): AttentionFacts {
  const known = useStore(useApp().attentionFacts);
  return usePast() === undefined ? known : noFacts;
}

/** Gives the board time to render before slower requests start. */
const findingsAfterMs = 2000;
const findingsEveryMs = 300_000;
const noFindings: FindingsBySlot = new Map();

/** The quality findings of each slot, loaded shortly after the board; empty for a past board. */
export function useFindings(): FindingsBySlot {
  const { findings } = useApp();
  const known = useStore(findings);
  useEffect(() => {
    let request: RunningRequest | undefined;
    const first = setTimeout(() => {
      request = startRequest(() => findings.want(), { everyMs: findingsEveryMs });
    }, findingsAfterMs);
    return () => {
      clearTimeout(first);
      request?.end();
    };
  }, [findings]);
  return usePast() === undefined ? known : noFindings;
}

export function useBoardContext(): BoardContext {
  const { connection, futureRows, ownership, drifts } = useApp();
  const { environments } = useStore(connection.board) ?? emptyBoard;
  return boardContext(
    useStore(connection.promotionOrder),
    useStore(futureRows),
    useStore(ownership),
    environments,
    useStore(drifts),
  );
}
