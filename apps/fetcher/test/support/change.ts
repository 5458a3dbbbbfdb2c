import type { Change, Json, Variables } from '../../src/change.ts';

interface Fields extends Partial<Omit<Change, 'vars' | 'payload'>> {
  readonly vars?: Variables;
  readonly payload?: Json;
}

/** A change as the GitHub adapter creates it, for `acme/web` in `production`. */
export function changeOf({ vars, ...fields }: Fields = {}): Change {
  return {
    id: 'gh-deploy-7',
    order: 1,
    status: 'success',
    at: '2026-05-04T09:12:02Z',
    identity: 'instant',
    parents: [],
    ...fields,
    vars: {
      ...{ adapter: 'github-actions', repo: 'acme/web', owner: 'acme', name: 'web', environment: 'production' },
      ...{ sha: '9f1c2ab4d6e8', sha7: '9f1c2ab', transient: 'false' },
      ...vars,
    },
  };
}
