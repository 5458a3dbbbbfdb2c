import type { Hold } from '@shiplog/contract';

/** A production freeze over Christmas, or another hold. */
export function aHold(given: Partial<Hold>, nowMs: number): Hold {
  const at = (hours: number) => new Date(nowMs + hours * 3_600_000).toISOString();
  return {
    ...{ id: 'h', kind: 'freeze', services: ['*'], environments: ['prod*'], version: null, from: at(-1), until: at(1) },
    ...{ reason: 'Christmas', url: null, by: 'Ines', source: null, source_id: null, created_at: at(-2) },
    ...{ released: null, exceptions: [] },
    ...given,
  };
}
