import { analyticsWindows, evidenceFigures } from '@shiplog/contract';
import { type AddressPart, flag, partOf, type StateOf, word } from '../address-part.ts';

/** UTC days such as "2026-05-03", both inclusive. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

const evidenceSides = ['counted', 'left-out'] as const;
export type EvidenceSide = (typeof evidenceSides)[number];

const dayMs = 86_400_000;
/** The longest period that the service accepts. */
const daysMax = 400;

const daysPart: AddressPart<Days | undefined> = {
  home: undefined,
  read: (query) => daysIn(query.get('days') ?? ''),
  write: (days) => [['days', days && `${days.from}..${days.to}`]],
};

const beforePart: AddressPart<boolean> = {
  home: true,
  read: (query) => query.get('before') !== '0',
  write: (before) => [['before', before ? undefined : '0']],
};

/** The period of the figures, its comparison, and the figure with open evidence. */
export const figuresPart = partOf({
  window: word('window', analyticsWindows, '7d'),
  /** Whether the window ends today rather than yesterday. */
  soFar: flag('sofar'),
  /** Replaces `window`. */
  days: daysPart,
  before: beforePart,
  evidence: word('evidence', evidenceFigures),
  side: word('side', evidenceSides, 'counted'),
});

export type FiguresState = StateOf<typeof figuresPart>;

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
