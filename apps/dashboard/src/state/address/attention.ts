import { attentionKinds } from '../../board/attention.ts';
import type { AttentionPart } from '../../board/attention-parts.ts';
import { type AddressPart, flagged } from '../address-part.ts';

/** How much of what needs attention is listed, and what of it a phone shows. */
export interface AttentionState {
  /** All of a part, or of everything; `undefined` = the first ones. */
  readonly attention: AttentionPart | 'all' | undefined;
  /** A phone shows the services without what needs attention. */
  readonly servicesOnly: boolean;
}

export const attentionPart: AddressPart<AttentionState> = {
  home: { attention: undefined, servicesOnly: false },
  read: (query) => ({
    attention: query.word('attention', ['all', 'production', ...attentionKinds]),
    servicesOnly: query.flag('services'),
  }),
  say: ({ attention, servicesOnly }) => [
    ['attention', attention],
    ['services', flagged(servicesOnly)],
  ],
};
