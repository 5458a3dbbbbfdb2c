import { attentionKinds } from '../../board/attention.ts';
import type { AttentionPart } from '../../board/attention-words.ts';
import { type AddressPart, flagged } from '../address-part.ts';

/** How many items that need attention are listed, and what a phone shows. */
export interface AttentionState {
  /** Lists all items of a part, or all items; `undefined` = only the most urgent. */
  readonly attention: AttentionPart | 'all' | undefined;
  /** A phone shows services without the list of what needs attention. */
  readonly servicesOnly: boolean;
}

export const attentionPart: AddressPart<AttentionState> = {
  home: { attention: undefined, servicesOnly: false },
  read: (query) => ({
    attention: query.word('attention', ['all', 'production', ...attentionKinds]),
    servicesOnly: query.flag('services'),
  }),
  write: ({ attention, servicesOnly }) => [
    ['attention', attention],
    ['services', flagged(servicesOnly)],
  ],
};
