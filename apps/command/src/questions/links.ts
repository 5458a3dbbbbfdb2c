type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The parameters of the dashboard's views, by view name. */
const addresses = {
  board: {},
  progress: { layout: 'progress' },
  changes: { view: 'changes' },
  releases: { view: 'releases' },
  reach: { view: 'releases', tab: 'reach' },
  analytics: { view: 'analytics' },
  quality: { view: 'analytics', tab: 'quality' },
} as const satisfies Record<string, Parameters>;
export type View = keyof typeof addresses;
export const views = Object.keys(addresses) as View[];

/** The views that had other names in earlier versions. */
const formerNames: ReadonlyMap<string, View> = new Map([
  ['pipelines', 'progress'],
  ['swimlanes', 'progress'],
  ['feed', 'changes'],
  ['compare', 'reach'],
]);

/** The view with this name, now or in earlier versions. */
export function viewOf(name: string): View | undefined {
  return views.find((view) => view === name) ?? formerNames.get(name);
}

/** A dashboard address, in the format of `apps/dashboard/src/state/address.ts`. */
export function viewLink(url: string, view: View, more: Parameters = {}): string {
  const parameters: Parameters = { ...addresses[view], ...more };
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
  const period = window === undefined ? { from, to } : { range: window };
  return viewLink(url, 'analytics', { ...period, ...more });
}
