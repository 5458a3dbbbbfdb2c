import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const src = new URL('../src/', import.meta.url);
const tokens = new URL('../../../libs/panels/files/tokens.css', import.meta.url);

/** The least contrast of each colour of texts and marks; green has only marks. */
const contrastMin = { ink: 4.5, ink2: 4.5, accent: 4.5, run: 4.5, bad: 4.5, ok: 3 } as const;
/** What texts and marks are on. */
const backgrounds = ['bg', 'panel', 'quiet', 'hover', 'run-bg', 'bad-bg'] as const;
/** The colours of texts on a fill of the text colours. */
const onFill: readonly string[] = ['bg', 'panel'];

/** The relative luminance of a colour such as `#fff` or `#14181f`, as WCAG defines it. */
function luminance(hex: string): number {
  const digits = hex.length === 4 ? hex.replace(/[^#]/g, '$&$&') : hex;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (lighter + 0.05) / (darker + 0.05);
}

/** The light and the dark colour of each variable. */
const colours = new Map(
  [tokens, new URL('style/page.css', src)].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g)].map(
      ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
    ),
  ),
);

test.each(['light', 'dark'] as const)('texts and marks have enough contrast on every background (%s)', (scheme) => {
  const colour = (name: string) => colours.get(name)?.[scheme] ?? '';
  const weak = Object.entries(contrastMin).flatMap(([name, least]) =>
    backgrounds
      .map((background) => [name, background, contrast(colour(name), colour(background))] as const)
      .filter(([, , ratio]) => !(ratio >= least)),
  );
  expect(weak).toEqual([]);
});

test('texts and marks have no colour of borders, which have less contrast', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  const used = files.flatMap((file) =>
    [...readFileSync(new URL(file, src), 'utf8').matchAll(/^ *color: var\((?:--tone, var\()?--([\w-]+)/gm)].map(
      ([, name = '']) => ({ file, name }),
    ),
  );
  expect(used.length).toBeGreaterThan(50);
  const known = [...Object.keys(contrastMin), ...onFill, 'tone', 'mark-ink'];
  expect(used.filter(({ name }) => !known.includes(name))).toEqual([]);
});
