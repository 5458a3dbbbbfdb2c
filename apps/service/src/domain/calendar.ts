import type { Hold } from '@shiplog/contract';
import { lastAct, spanEnd } from './holds.ts';

const titles = { freeze: 'Freeze', lock: 'Lock', bad: 'Bad version' } as const;
const octetsMax = 75;

/** Holds as iCalendar (RFC 5545, holds.md 6.12). */
export function calendarOf(holds: readonly Hold[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Shiplog//Holds//EN',
    'CALSCALE:GREGORIAN',
    'X-WR-CALNAME:Shiplog holds',
    ...holds.flatMap(eventOf),
    'END:VCALENDAR',
  ];
  return `${lines.map(folded).join('\r\n')}\r\n`;
}

function eventOf(hold: Hold): string[] {
  const end = spanEnd(hold);
  const version = hold.version === null ? '' : ` ${hold.version}`;
  return [
    'BEGIN:VEVENT',
    `UID:${hold.id}@shiplog`,
    `DTSTAMP:${instantOf(lastAct(hold))}`,
    `DTSTART:${instantOf(hold.from)}`,
    ...(end === undefined ? [] : [`DTEND:${instantOf(end)}`]),
    `SUMMARY:${escapedText(`${titles[hold.kind]}${version}: ${hold.reason}`)}`,
    ...(hold.url === null ? [] : [`URL:${hold.url}`]),
    'END:VEVENT',
  ];
}

/** To the second, which is all that the format has. */
function instantOf(utc: string): string {
  return `${utc.slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function escapedText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n|\r/g, '\\n');
}

/** Breaks a line into pieces of at most 75 octets, never within a character. */
function folded(line: string): string {
  const pieces: string[] = [];
  let piece = '';
  let octets = 0;
  for (const character of line) {
    const length = Buffer.byteLength(character);
    if (octets + length > octetsMax) {
      pieces.push(piece);
      [piece, octets] = ['', 1];
    }
    piece += character;
    octets += length;
  }
  return [...pieces, piece].join('\r\n ');
}
