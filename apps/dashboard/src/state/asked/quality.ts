import { type FindingKind, findingKinds } from '@shiplog/contract';
import type { Asked } from '../asked.ts';

/** Which findings are shown; none = all of them. */
export interface QualityAsked {
  readonly kinds: readonly FindingKind[];
}

export const qualityAsked: Asked<QualityAsked> = {
  home: { kinds: [] },
  read: (query) => ({ kinds: findingKinds.filter((kind) => query.texts('kind').includes(kind)) }),
  say: ({ kinds }) => [['kind', ...kinds]],
};
