import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Board, emptyBoard } from '../board/board.ts';
import { type BoardContext, boardContext } from '../board/context.ts';
import { noFacts } from '../board/facts.ts';
import type { FutureRows } from '../board/future-rows.ts';
import { noNotices } from '../board/notices.ts';
import type { Ownership } from '../board/ownership.ts';
import { type Shown, shownOf } from '../board/shown.ts';
import { stagesOn } from '../board/stages.ts';
import type { CatalogStore } from '../live/catalog.ts';
import type { Connection } from '../live/connection.ts';
import type { NoticesStore } from '../live/notices.ts';
import type { PastStore } from '../live/past-board.ts';
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
  /** The slots whose current event is dated in the future. */
  readonly futureRows: Store<FutureRows>;
  readonly notices: NoticesStore;
  readonly catalog: CatalogStore;
  /** The owner of each service according to the catalog, and the viewer's favourites. */
  readonly ownership: Store<Ownership>;
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

export function useBoardContext(): BoardContext {
  const { connection, futureRows, notices, ownership, preferences } = useApp();
  const { environments } = useStore(connection.board) ?? emptyBoard;
  const facts = useStore(connection.facts);
  const stages = stagesOn(environments, useStore(connection.stages), useStore(preferences).production);
  const held = useStore(notices) ?? noNotices;
  const isPast = usePast() !== undefined;
  const [rows, owned] = [useStore(futureRows), useStore(ownership)];
  return boardContext(stages, rows, owned, isPast ? noFacts : facts, isPast ? noNotices : held);
}
