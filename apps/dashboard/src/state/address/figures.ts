import { type AnalyticsWindowName, analyticsWindows, type EvidenceFigure, evidenceFigures } from '@shiplog/contract';
import { type AddressPart, flagged } from '../address-part.ts';

/** UTC days such as "2026-05-03", both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The items that a figure counts, and those that it leaves out. */
const evidenceSides = ['counted', 'left-out'] as const;
export type EvidenceSide = (typeof evidenceSides)[number];

/** The period of the figures, its comparison, and the figure with open evidence. */
export interface FiguresState {
  readonly window: AnalyticsWindowName;
  /** The window ends today rather than yesterday. */
  readonly soFar: boolean;
  /** Replaces the window. */
  readonly days: Days | undefined;
  /** Compares with the previous period. */
  readonly before: boolean;
  readonly evidence: EvidenceFigure | undefined;
  readonly side: EvidenceSide;
}

const dayMs = 86_400_000;
/** The longest period that the service accepts. */
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
  write: ({ window, soFar, days, before, evidence, side }) => [
    ['window', window === '7d' ? undefined : window],
    ['sofar', flagged(soFar)],
    ['days', days && `${days.from}..${days.to}`],
    ['before', before ? undefined : '0'],
    ['evidence', evidence],
    ['side', side === 'counted' ? undefined : side],
  ],
};

/** The days in a parameter; `undefined` if they are invalid or too many. */
export function daysIn(text: string): Days | undefined {
  const [from = '', to = '', ...more] = text.split('..');
  if (more.length > 0 || !isDay(from) || !isDay(to)) return undefined;
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return count >= 1 && count <= daysMax ? { from, to } : undefined;
}

/** Rejects days that don't exist, such as 31 February. */
function isDay(text: string): boolean {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 10) === text;
}
