/** The views of the board as it names them, by the word of its addresses. */
const words = { board: 'board', pipelines: 'swimlanes', feed: 'feed', analytics: 'analytics' } as const;
export type View = keyof typeof words;
export const views = Object.keys(words) as View[];

/** A view by its name, or by the word of its addresses; `undefined` = there is none. */
export function viewOf(name: string): View | undefined {
  return views.find((view) => view === name || words[view] === name);
}

/** Addresses of the board that people look at, as its own links are (`apps/dashboard/src/state/address.ts`). */
export function viewLink(url: string, view: View): string {
  return `${url}/${view === 'board' ? '' : `?view=${words[view]}`}`;
}

/** The board with the history of a place open. */
export function historyLink(url: string, service: string, environment: string): string {
  return `${url}/?${new URLSearchParams({ history: service, in: environment })}`;
}

/** The figures of a window. */
export function analyticsLink(url: string, window: string): string {
  return `${url}/?${new URLSearchParams({ view: 'analytics', window })}`;
}
