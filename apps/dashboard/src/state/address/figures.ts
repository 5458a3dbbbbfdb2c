import { type AnalyticsWindowName, analyticsWindows, type EvidenceFigure, evidenceFigures } from '@shiplog/contract';
import { type AddressPart, flagged } from '../address-part.ts';

/** UTC days, both of them included: "2026-05-03". */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The two halves of what a figure is made of. */
const evidenceSides = ['counted', 'left-out'] as const;
export type EvidenceSide = (typeof evidenceSides)[number];

/** The period of the figures, what they are compared with, and the one whose evidence is open. */
export interface FiguresState {
  readonly window: AnalyticsWindowName;
  /** As many days as the window has, the last of them today. */
  readonly soFar: boolean;
  /** In place of a window. */
  readonly days: Days | undefined;
  /** Beside the period right before. */
  readonly before: boolean;
  readonly evidence: EvidenceFigure | undefined;
  readonly side: EvidenceSide;
}

const dayMs = 86_400_000;
/** The longest period that the service answers for. */
const daysMax = 400;

export const figuresPart: AddressPart<FiguresState> = {
  home: { window: '7d', soFar: false, days: undefined, before: true, evidence: undefined, side: 'counted' },
  read: (query) => ({
    window: query.word('window', analyticsWindows) ?? '7d',
    soFar: query.flag('sofar'),
    days: daysIn(query.raw('days') ?? ''),
    before: query.raw('before') !== '0',
    evidence: query.word('evidence', evidenceFigures),
    side: query.word('side', evidenceSides) ?? 'counted',
  }),
  say: ({ window, soFar, days, before, evidence, side }) => [
    ['window', window === '7d' ? undefined : window],
    ['sofar', flagged(soFar)],
    ['days', days && `${days.from}..${days.to}`],
    ['before', before ? undefined : '0'],
    ['evidence', evidence],
    ['side', side === 'counted' ? undefined : side],
  ],
};

/** Days as an address writes them; `undefined` where they are none, or too many. */
export function daysIn(text: string): Days | undefined {
  const [from = '', to = '', ...more] = text.split('..');
  if (more.length > 0 || !isDay(from) || !isDay(to)) return undefined;
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return count >= 1 && count <= daysMax ? { from, to } : undefined;
}

/** 31 February is none. */
function isDay(text: string): boolean {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}
