/** The views of the board, in the words of its addresses. */
export const views = ['board', 'swimlanes', 'feed', 'analytics'] as const;
export type View = (typeof views)[number];

/** Addresses of the board that people look at, as its own links are (`apps/dashboard/src/state/address.ts`). */
export function viewLink(url: string, view: View): string {
  return `${url}/${view === 'board' ? '' : `?view=${view}`}`;
}

/** The board with the history of a place open. */
export function historyLink(url: string, service: string, environment: string): string {
  return `${url}/?${new URLSearchParams({ history: service, in: environment })}`;
}

/** The figures of a window. */
export function analyticsLink(url: string, window: string): string {
  return `${url}/?${new URLSearchParams({ view: 'analytics', window })}`;
}
