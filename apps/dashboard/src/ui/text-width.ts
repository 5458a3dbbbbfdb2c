import { memoizeLast } from '../board/memoize.ts';

const sizePx = 14;
const cachedMax = 20_000;

/** The width of a text at 14 px bold, in pixels. It is estimated if the browser blocks canvas measurements. */
export function boldWidth(text: string): number {
  return widthsIn(document)(text);
}

const widthsIn = memoizeLast(({ body }: Document) => {
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `600 ${sizePx}px ${getComputedStyle(body).fontFamily}`;
  const known = new Map<string, number>();
  return (text: string): number => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size > cachedMax) known.clear();
    const width = context?.measureText(text).width ?? text.length * 0.65 * sizePx;
    known.set(text, width);
    return width;
  };
});
