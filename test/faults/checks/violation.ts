/** A broken guarantee. */
export interface Violation {
  readonly kind:
    | 'lost'
    | 'duplicated'
    | 'out of order'
    | 'altered'
    | 'invented'
    | 'late'
    | 'answer'
    | 'readiness'
    | 'reset'
    | 'matrix'
    | 'folds'
    | 'memory'
    | 'process';
  /** A sentence for the report. */
  readonly what: string;
}

/** Compares ids by code point, like the order of UUIDs. */
export function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}
