import { memoizeLast } from '../board/memoize.ts';

export type Face = 'sans' | 'bold' | 'mono' | 'monoBold';

/** The width of a text, in units of its font size. */
export type WidthOf = (face: Face, text: string) => number;

/** A safety margin: browsers lay out fonts in whole pixels, and some digits may be wider than 0. */
const spare = 1.015;

/** Truncates a text in its middle: keeps the last eight characters, and the longest head that fits. */
export function cutTo(text: string, room: number, face: Face, widthOf: WidthOf): string {
  if (widthOf(face, text) <= room) return text;
  const characters = [...text];
  const tail = characters.slice(-tailCharacters).join('');
  const head = characters.slice(0, -tailCharacters);
  let [low, high] = [0, head.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(face, `${head.slice(0, middle).join('')}…${tail}`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${head.slice(0, low).join('')}…${tail}`;
}

const tailCharacters = 8;

/** The minimum width of a text: the full text, or its tail with `headCharacters` of its head. */
export function leastWidth(text: string, headCharacters: number, face: Face, widthOf: WidthOf): number {
  const characters = [...text];
  const whole = widthOf(face, text);
  if (characters.length <= headCharacters + 1 + tailCharacters) return whole;
  const cut = `${characters.slice(0, headCharacters).join('')}…${characters.slice(-tailCharacters).join('')}`;
  return Math.min(whole, widthOf(face, cut));
}

const sizePx = 100;
const cachedMax = 20_000;

/** Measures texts on a canvas. All digits count as 0, so that a text in a column keeps its width. */
export const canvasWidths = memoizeLast((sans: string, mono: string): WidthOf => {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, number>();
  const fonts: Readonly<Record<Face, string>> = {
    sans: `${sizePx}px ${sans}`,
    bold: `600 ${sizePx}px ${sans}`,
    mono: `${sizePx}px ${mono}`,
    monoBold: `600 ${sizePx}px ${mono}`,
  };
  return (face, text) => {
    const key = `${face} ${text}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size > cachedMax) known.clear();
    // If the browser blocks canvas measurements, the widths are estimated.
    if (context) context.font = fonts[face];
    const px = context?.measureText(text.replace(/\d/g, '0')).width ?? text.length * 0.7 * sizePx;
    const width = (px / sizePx) * spare;
    known.set(key, width);
    return width;
  };
});
