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
    | 'memory'
    | 'process';
  /** A sentence for a person. */
  readonly what: string;
}

/** Ids in code point order, which is the order of uuids. */
export function byId(left: { readonly id: string }, right: { readonly id: string }): number {
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}
