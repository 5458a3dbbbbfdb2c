import { type FindingKind, findingKinds } from '@shiplog/contract';
import type { AddressPart } from '../address-part.ts';

/** Which findings are shown; none = all of them. */
export interface QualityState {
  readonly kinds: readonly FindingKind[];
}

export const qualityPart: AddressPart<QualityState> = {
  home: { kinds: [] },
  read: (query) => ({ kinds: findingKinds.filter((kind) => query.texts('kind').includes(kind)) }),
  say: ({ kinds }) => [['kind', ...kinds]],
};
