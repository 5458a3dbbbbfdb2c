import { provableFigures } from '@shiplog/contract';
import { flag, partOf, word } from '../address-part.ts';

const evidenceSides = ['counted', 'left-out'] as const;
export type EvidenceSide = (typeof evidenceSides)[number];

/** The tab, the comparison with the previous period, and the figure with open evidence. */
export const figuresPart = partOf({
  tab: word('tab', ['overview', 'quality'], 'overview'),
  compare: flag('compare'),
  evidence: word('evidence', provableFigures),
  side: word('side', evidenceSides, 'counted'),
});
