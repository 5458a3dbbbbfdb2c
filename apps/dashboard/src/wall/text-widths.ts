import { memoizeLast } from '../board/memoize.ts';

/** The type of a text on the wall. */
export type Face = 'sans' | 'bold' | 'mono' | 'monoBold';

/** The width of a text, in units of its type size. */
export type WidthOf = (face: Face, text: string) => number;

/** Fonts are laid out in whole pixels, and other digits may be wider than these. */
const spare = 1.015;

/** Text at rest, in its middle cut to a room: the last eight characters are kept, and of its head what there is room for. */
export function cutTo(text: string, room: number, face: Face, widthOf: WidthOf): string {
  if (widthOf(face, text) <= room) return text;
  const signs = [...text];
  const tail = signs.slice(-tailSigns).join('');
  const head = signs.slice(0, -tailSigns);
  let [low, high] = [0, head.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (widthOf(face, `${head.slice(0, middle).join('')}…${tail}`) <= room) low = middle;
    else high = middle - 1;
  }
  return `${head.slice(0, low).join('')}…${tail}`;
}

const tailSigns = 8;

/** The width that a text needs at least: all of it, or its tail with so many signs of its head. */
export function leastWidth(text: string, headSigns: number, face: Face, widthOf: WidthOf): number {
  const signs = [...text];
  const whole = widthOf(face, text);
  if (signs.length <= headSigns + 1 + tailSigns) return whole;
  const cut = `${signs.slice(0, headSigns).join('')}…${signs.slice(-tailSigns).join('')}`;
  return Math.min(whole, widthOf(face, cut));
}

const sizePx = 100;
const keptMax = 20_000;

/** Measures on a canvas, by the fonts that an element has. Digits count as the widest, since they stand in columns. */
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
    if (known.size > keptMax) known.clear();
    // A browser that hides what a canvas measures leaves an estimate.
    if (context) context.font = fonts[face];
    const px = context?.measureText(text.replace(/\d/g, '0')).width ?? text.length * 0.7 * sizePx;
    const width = (px / sizePx) * spare;
    known.set(key, width);
    return width;
  };
});
