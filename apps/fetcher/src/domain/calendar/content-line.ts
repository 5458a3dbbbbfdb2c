import { CalendarFault } from './calendar-fault.ts';

/** A content line (RFC 5545 §3.1), unfolded. */
export interface ContentLine {
  /** The number of its first line in the file, from 1. */
  readonly line: number;
  /** In upper case. */
  readonly name: string;
  /** Parameters by name in upper case, without quotes. */
  readonly params: ReadonlyMap<string, string>;
  readonly value: string;
}

/** @throws CalendarFault if the text isn't UTF-8 or has a line without a colon. */
export function contentLines(bytes: Uint8Array): ContentLine[] {
  return unfolded(bytes).map(({ line, text }) => parseLine(text, line));
}

interface Unfolded {
  readonly line: number;
  readonly text: string;
}

/** A line may be folded within a character, so bytes are joined before they are decoded. */
function unfolded(bytes: Uint8Array): Unfolded[] {
  const lines: { line: number; latin: string }[] = [];
  const latin = Buffer.from(bytes).toString('latin1').replace(byteOrderMark, '');
  for (const [index, text] of latin.split(/\r\n|\n|\r/).entries()) {
    const last = lines.at(-1);
    if (last && /^[ \t]/.test(text)) last.latin += text.slice(1);
    else lines.push({ line: index + 1, latin: text });
  }
  return lines.filter(({ latin: text }) => text.trim() !== '').map(({ line, latin: text }) => decoded(line, text));
}

const byteOrderMark = /^\u00ef\u00bb\u00bf/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decoded(line: number, latin: string): Unfolded {
  try {
    return { line, text: utf8.decode(Buffer.from(latin, 'latin1')) };
  } catch {
    throw new CalendarFault(`line ${line} is not UTF-8; save the calendar as UTF-8`);
  }
}

const namePattern = /^[A-Za-z0-9-]+/;
const paramPattern = /;([A-Za-z0-9-]+)=((?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)/y;

function parseLine(text: string, line: number): ContentLine {
  const [name = ''] = namePattern.exec(text) ?? [];
  const params = new Map<string, string>();
  let at = name.length;
  for (paramPattern.lastIndex = at; ; at = paramPattern.lastIndex) {
    const found = paramPattern.exec(text);
    if (!found) break;
    params.set((found[1] ?? '').toUpperCase(), (found[2] ?? '').replaceAll('"', ''));
  }
  if (name === '' || text[at] !== ':') throw new CalendarFault(`line ${line} is not iCalendar`);
  return { line, name: name.toUpperCase(), params, value: text.slice(at + 1) };
}

/** The text of a TEXT value, on one line and without control characters. */
export function plainText(value: string): string {
  return value
    .replace(/\\([\\;,nN])/g, (_, character: string) => (/n/i.test(character) ? ' ' : character))
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
