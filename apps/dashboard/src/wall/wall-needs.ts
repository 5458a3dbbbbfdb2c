import { type CellNeed, sizes, type WallNeeds } from './fit.ts';
import type { WallTexts } from './headline.ts';
import { type Face, leastWidth, type WidthOf } from './text-widths.ts';
import { type HealthyService, labelText, type WallCell, type WallContent } from './wall-content.ts';

/** The measures inside a cell, in units of the wall's type size. `wall.css` has the same measures. */
export const inside = {
  cell: 2.5,
  /** The width of the headline's mark and the gap after it, in units of the headline's type size. */
  headlineMark: 1.25,
  labelGap: 0.5,
  label: 0.8,
  name: 1.35,
  /** The mark of an alarm in a column that isn't shown, with its gaps. */
  elsewhereMark: 1.6,
  head: 1.4,
  /** The measures of the list of healthy services, in units of its type size. */
  item: 1.9,
  itemName: 13,
} as const;

/** The minimum number of characters before the ellipsis. */
const headCharacters = { version: 5, versionWithLabel: 2, headline: 16, name: 5, column: 4, elsewhere: 3 } as const;

export function needsOf(content: WallContent, { headline, sub }: WallTexts, widthOf: WidthOf): WallNeeds {
  const { columns, rows, healthy, teams } = content;
  return {
    columns: columns.map(({ name, ...column }) => ({
      ...column,
      head: sizes.small * leastWidth(name, headCharacters.column, 'bold', widthOf) + inside.head,
    })),
    rows: rows.map(({ service, cells, isPinned }) => ({
      nameLeast: leastWidth(service, headCharacters.name, 'bold', widthOf) + inside.name,
      nameWhole: widthOf('bold', service) + inside.name,
      cells: cells.map((cell, index) => needOf(cell, columns[index]?.name ?? '', widthOf)),
      isPinned,
    })),
    healthy: { count: healthy.length, item: Math.max(0, ...healthy.map((service) => itemNeed(service, widthOf))) },
    teams: teams.map(({ name, count }) => widthOf('sans', `${name} `) + widthOf('bold', String(count))),
    headline:
      inside.headlineMark +
      leastWidth(headline.service, headCharacters.headline, 'bold', widthOf) +
      widthOf('bold', headline.text),
    sub: sub.map((part) =>
      part.reduce((width, { text, emphasis }) => width + widthOf(emphasis ? 'bold' : 'sans', text), 0),
    ),
  };
}

/** The font of a version: bold unless it is at rest. */
export function faceOf({ tone }: WallCell): Face {
  return tone === 'ok' || tone === 'off' ? 'mono' : 'monoBold';
}

export function labelWidth(cell: WallCell, widthOf: WidthOf): number {
  const text = labelText(cell);
  return text === '' ? 0 : inside.labelGap + inside.label * widthOf('sans', text);
}

function needOf(cell: WallCell | undefined, environment: string, widthOf: WidthOf): CellNeed {
  if (!cell) return { least: inside.cell, whole: inside.cell, elsewhere: 0 };
  const around = inside.cell + labelWidth(cell, widthOf);
  const head = labelText(cell) === '' ? headCharacters.version : headCharacters.versionWithLabel;
  return {
    least: around + leastWidth(cell.version, head, faceOf(cell), widthOf),
    whole: around + widthOf(faceOf(cell), cell.version),
    elsewhere: cell.tone === 'ok' || cell.tone === 'off' ? 0 : elsewhereWidth(environment, widthOf),
  };
}

/** The width next to a name for an alarm in a column that isn't shown. */
export function elsewhereWidth(environment: string, widthOf: WidthOf): number {
  return inside.elsewhereMark + inside.label * leastWidth(environment, headCharacters.elsewhere, 'sans', widthOf);
}

/** The width of an item in the list of healthy services, in units of the list's type size. */
function itemNeed({ service, version }: HealthyService, widthOf: WidthOf): number {
  const name = Math.min(inside.itemName, widthOf('sans', service));
  return inside.item + name + leastWidth(version || '–', headCharacters.version, 'mono', widthOf);
}
