import { replaceUnsafe } from '@shiplog/text';

/** The widths of ASCII characters in Verdana, starting with the space, in 1/2048 of the font size. */
const widths = [
  720, 806, 940, 1676, 1302, 2204, 1488, 550, 930, 930, 1302, 1676, 745, 930, 745, 930, 1302, 1302, 1302, 1302, 1302,
  1302, 1302, 1302, 1302, 1302, 930, 930, 1676, 1676, 1676, 1117, 2048, 1400, 1404, 1430, 1578, 1295, 1177, 1588, 1539,
  862, 931, 1419, 1140, 1726, 1532, 1612, 1235, 1612, 1424, 1400, 1262, 1499, 1401, 2025, 1403, 1260, 1403, 930, 930,
  930, 1676, 1302, 1302, 1230, 1276, 1067, 1276, 1220, 720, 1276, 1296, 562, 705, 1212, 562, 1992, 1296, 1243, 1276,
  1276, 874, 1067, 807, 1296, 1212, 1676, 1212, 1212, 1076, 1300, 930, 1300, 1676,
];
const usual = 1302;
const wide = 2048;

/** East Asian characters and emoji. */
const wideCharacter =
  /^[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]$|^\p{Extended_Pictographic}$/u;
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/**
 * The width of a text in Verdana, in pixels. The badge draws its text at this width, so the layout doesn't need the
 * font.
 */
export function textWidth(text: string, sizePx: number): number {
  const sum = [...text].reduce((width, character) => width + widthOf(character), 0);
  return Math.round((sum / 2048) * sizePx * 10) / 10;
}

function widthOf(character: string): number {
  const ascii = widths[(character.codePointAt(0) ?? 0) - 32];
  if (ascii !== undefined) return ascii;
  if (zeroWidth.test(character)) return 0;
  return wideCharacter.test(character) ? wide : usual;
}

/** A text as one line, without unsafe characters and the two characters that XML forbids. */
export function singleLine(text: string): string {
  return replaceUnsafe(text.replace(/\s+/g, ' ').trim()).replace(/[\ufffe\uffff]/g, '\ufffd');
}

/** Shortens a text to `max` characters. Keeps the last 8, which distinguish versions. */
export function shorten(text: string, max: number): string {
  const characters = [...text];
  if (characters.length <= max) return text;
  return `${characters.slice(0, max - 9).join('')}…${characters.slice(-8).join('')}`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for markup. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
