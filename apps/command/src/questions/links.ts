/** The words for the dashboard's views in addresses, by view name. */
const words = {
  board: 'board',
  pipelines: 'swimlanes',
  releases: 'releases',
  compare: 'compare',
  feed: 'feed',
  analytics: 'analytics',
  quality: 'quality',
} as const;
export type View = keyof typeof words;
export const views = Object.keys(words) as View[];

/** The view with this name, or with this word in its address. */
export function viewOf(name: string): View | undefined {
  return views.find((view) => view === name || words[view] === name);
}

type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A dashboard address, in the format of `apps/dashboard/src/state/address.ts`. */
export function viewLink(url: string, view: View, more: Parameters = {}): string {
  const parameters = { view: view === 'board' ? undefined : words[view], ...more };
  const query = new URLSearchParams(
    Object.entries(parameters).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    ),
  );
  return `${url}/${query.size === 0 ? '' : `?${query}`}`;
}

export function historyLink(url: string, service: string, environment: string): string {
  return viewLink(url, 'board', { history: service, in: environment });
}

type Period = { readonly window?: string | undefined; readonly from: string; readonly to: string };

export function analyticsLink(url: string, { window, from, to }: Period, more: Parameters = {}): string {
  // An address contains whole days, including the last day.
  const lastDay = new Date(Date.parse(to) - 1).toISOString().slice(0, 10);
  const period = window === undefined ? { days: `${from.slice(0, 10)}..${lastDay}` } : { window };
  return viewLink(url, 'analytics', { ...period, ...more });
}
