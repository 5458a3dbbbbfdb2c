/** Endpoint groups: headings on the API page, and descriptions in the OpenAPI document. */
export type Tags = Readonly<Record<string, { readonly title: string; readonly description: string }>>;

/** The groups of the core API's endpoints. */
export const coreTags = {
  write: { title: 'Write', description: 'Append deployment events' },
  read: { title: 'Read', description: 'Matrix, listings, lookup and discovery' },
  analytics: { title: 'Analytics', description: 'Figures over a window of days' },
  stream: { title: 'Stream', description: 'Server-Sent Events' },
  fetcher: { title: 'Fetcher state', description: 'Cursor state of fetchers' },
  control: { title: 'Control', description: 'Reset and components' },
  ops: { title: 'Probes', description: 'Probes' },
} as const satisfies Tags;
