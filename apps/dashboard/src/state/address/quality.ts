import { type FindingKind, findingKinds } from '@shiplog/contract';
import type { AddressPart } from '../address-part.ts';

/** Which kinds of findings are shown; empty = all kinds. */
export interface QualityState {
  readonly kinds: readonly FindingKind[];
}

export const qualityPart: AddressPart<QualityState> = {
  home: { kinds: [] },
  read: (query) => ({ kinds: findingKinds.filter((kind) => query.texts('kind').includes(kind)) }),
  write: ({ kinds }) => [['kind', ...kinds]],
};
