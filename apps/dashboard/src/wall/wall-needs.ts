import { type CellNeed, sizes, type WallNeeds } from './fit.ts';
import type { Headline, SubPart } from './headline.ts';
import { type Face, leastWidth, type WidthOf } from './text-widths.ts';
import type { WallCell, WallContent, WellService } from './wall-content.ts';

/** The measures inside a cell, in units of the wall's type; `wall.css` has the same. */
export const inside = {
  /** Beside what stands in a cell, its mark among it. */
  cell: 2.5,
  /** The mark of the headline and the gap after it, in units of its own type. */
  headlineMark: 1.25,
  labelGap: 0.5,
  label: 0.8,
  name: 1.35,
  head: 1.4,
  /** Of the list of what is well: in units of its own type. */
  item: 1.9,
  itemName: 13,
} as const;

/** The signs of a head that are kept at least before the dots. */
const headSigns = { version: 5, versionBesideLabel: 2, headline: 16, name: 5, column: 4, elsewhere: 3 } as const;
const elsewhereMark = 1.6;

interface Told {
  readonly headline: Headline;
  readonly sub: readonly SubPart[];
}

/** What everything on a wall needs. */
export function needsOf(content: WallContent, { headline, sub }: Told, widthOf: WidthOf): WallNeeds {
  const { columns, rows, well, teams } = content;
  return {
    columns: columns.map(({ name, ...column }) => ({
      ...column,
      head: sizes.small * leastWidth(name, headSigns.column, 'bold', widthOf) + inside.head,
    })),
    rows: rows.map(({ service, cells, isPinned }) => ({
      nameLeast: leastWidth(service, headSigns.name, 'bold', widthOf) + inside.name,
      nameWhole: widthOf('bold', service) + inside.name,
      cells: cells.map((cell, index) => needOf(cell, columns[index]?.name ?? '', widthOf)),
      isPinned,
    })),
    well: { count: well.length, item: Math.max(0, ...well.map((service) => itemNeed(service, widthOf))) },
    teams: teams.map(({ name, count }) => widthOf('sans', `${name} `) + widthOf('bold', String(count))),
    headline:
      inside.headlineMark +
      leastWidth(headline.service, headSigns.headline, 'bold', widthOf) +
      widthOf('bold', headline.text),
    sub: sub.map((part) => part.reduce((width, { text, look }) => width + widthOf(look ? 'bold' : 'sans', text), 0)),
  };
}

/** The type of a version: at rest where all is well. */
export function faceOf({ tone }: WallCell): Face {
  return tone === 'ok' || tone === 'off' ? 'mono' : 'monoBold';
}

/** The room that the label of a cell takes beside its version. */
export function labelWidth({ label }: WallCell, widthOf: WidthOf): number {
  return label === '' ? 0 : inside.labelGap + inside.label * widthOf('sans', label);
}

function needOf(cell: WallCell | undefined, environment: string, widthOf: WidthOf): CellNeed {
  if (!cell) return { least: inside.cell, whole: inside.cell, elsewhere: 0 };
  const beside = inside.cell + labelWidth(cell, widthOf);
  const head = cell.label === '' ? headSigns.version : headSigns.versionBesideLabel;
  return {
    least: beside + leastWidth(cell.version, head, faceOf(cell), widthOf),
    whole: beside + widthOf(faceOf(cell), cell.version),
    elsewhere: cell.tone === 'ok' || cell.tone === 'off' ? 0 : elsewhereWidth(environment, widthOf),
  };
}

/** The room of what stands beside a name for a column that is not shown. */
export function elsewhereWidth(environment: string, widthOf: WidthOf): number {
  return elsewhereMark + inside.label * leastWidth(environment, headSigns.elsewhere, 'sans', widthOf);
}

/** In units of the list's own type. */
function itemNeed({ service, version }: WellService, widthOf: WidthOf): number {
  const name = Math.min(inside.itemName, widthOf('sans', service));
  return inside.item + name + leastWidth(version || '–', headSigns.version, 'mono', widthOf);
}
