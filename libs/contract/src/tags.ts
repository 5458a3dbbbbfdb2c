/** Endpoint groups: headings on the API page, and descriptions in the OpenAPI document. */
export type Tags = Readonly<Record<string, { readonly title: string; readonly description: string }>>;

/** The groups of the core API's endpoints. */
export const coreTags = {
  write: { title: 'Write', description: 'Append deployment events.' },
  read: { title: 'Read', description: 'Read the matrix, and list, look up and discover events.' },
  analytics: { title: 'Analytics', description: 'Compute figures over a window of days.' },
  stream: { title: 'Stream', description: 'Follow the log with Server-Sent Events.' },
  fetcher: { title: 'Fetcher state', description: 'Store and read the cursors of fetchers.' },
  control: { title: 'Control', description: 'Reset the log, and observe components.' },
  holds: { title: 'Holds', description: 'Freezes, locks and bad versions.' },
  outages: { title: 'Outages', description: 'What broke, and which deployment caused it.' },
  access: { title: 'Access', description: 'Show credentials, who posted an event, and changes to access.' },
  ops: { title: 'Probes', description: 'Check the service and its version.' },
} as const satisfies Tags;
