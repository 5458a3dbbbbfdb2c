import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AheadSlots } from '../board/ahead.ts';
import { emptyBoard } from '../board/board.ts';
import { type Shown, shownOf } from '../board/shown.ts';
import type { Connection } from '../live/connection.ts';
import type { Address } from '../state/address.ts';
import type { Navigation } from '../state/navigation.ts';
import type { PreferenceStore } from '../state/preferences.ts';
import { type Store, useStore } from '../state/store.ts';

/** What every component may use: made once, in `main.tsx`. */
export interface App {
  readonly navigation: Navigation;
  readonly preferences: PreferenceStore;
  readonly connection: Connection;
  /** Since when the service has not answered; `undefined` = there is no outage. */
  readonly outage: Store<number | undefined>;
  readonly aheadSlots: Store<AheadSlots>;
}

const AppContext = createContext<App | undefined>(undefined);
export const AppProvider = AppContext.Provider;

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('a component was drawn outside of the AppProvider');
  return app;
}

export function useAddress(): Address {
  return useStore(useApp().navigation.address);
}

/** The part of the board that passes the filters of the page; nothing before there is a board. */
export function useShown(): Shown {
  const { connection, aheadSlots } = useApp();
  const board = useStore(connection.board) ?? emptyBoard;
  return shownOf(board, useStore(connection.ladder), useAddress(), useStore(aheadSlots));
}
