/** What one cell needs, in units of the wall's type. */
export interface CellNeed {
  /** With its version cut as far as it may be, and with all of it. */
  readonly least: number;
  readonly whole: number;
  /** What stands beside the name instead, where the column is not shown; 0 = nothing. */
  readonly elsewhere: number;
}

export interface RowNeed {
  readonly nameLeast: number;
  readonly nameWhole: number;
  /** One for each column. */
  readonly cells: readonly CellNeed[];
  /** It stands on every page. */
  readonly isPinned: boolean;
}

export interface ColumnNeed {
  readonly head: number;
  /** It is not on the ladder. */
  readonly isOther: boolean;
  /** It is production, or stands for it, and never goes. */
  readonly isLast: boolean;
}

/** What is to be on a wall. Widths and heights are in units of its type, if nothing else is said. */
export interface WallNeeds {
  readonly columns: readonly ColumnNeed[];
  /** In the order in which they are shown. */
  readonly rows: readonly RowNeed[];
  /** The services that are well: their number, and the room that one has in the list. */
  readonly well: { readonly count: number; readonly item: number };
  /** The counts of teams that the list becomes. */
  readonly teams: readonly number[];
  /** The headline, in its own type. */
  readonly headline: number;
  /** The parts of the line below the headline. */
  readonly sub: readonly number[];
}

export interface WallPlan {
  readonly unitPx: number;
  /** The indexes of the columns that are shown. */
  readonly columns: readonly number[];
  readonly nameWidth: number;
  readonly columnWidth: number;
  readonly well: 'list' | 'teams';
  readonly listColumns: number;
  /** How many teams there is room for. */
  readonly teamsShown: number;
  /** The indexes of the rows of each page; one page at least. */
  readonly pages: readonly (readonly number[])[];
}

/** Shares of the height of the screen. */
const leastShare = 0.0185;
const mostShare = 0.05;
const columnsLeast = 3;
const smallestPx = 6;

/** The measures of the wall, in units of its type; `wall.css` has the same. */
export const sizes = {
  edge: 1,
  headline: 2.4,
  headlineLine: 2.76,
  sub: 1.1,
  subLine: 1.54,
  subGap: 1.2,
  now: 14.5,
  gap: 0.7,
  head: 1.6,
  row: 1.86,
  small: 0.84,
  wellLine: 1.2,
  wellHead: 7,
  wellHeadLines: 4.2,
  wellGap: 2,
  wellTitle: 10,
  wellMore: 10,
  foot: 0.6,
} as const;
const teamLinesMax = 2;
/** Around the table; the lines between its rows are part of them. */
const linePx = 1;

interface Screen {
  readonly width: number;
  readonly height: number;
}

/**
 * The largest type with which everything fits, between 1.85 and 5 % of the height. Where the least is too wide, the
 * columns go that are not on the ladder, and then those from the left on, down to three; where it is too high, the list of
 * what is well becomes counts of teams, and then rows are divided into pages. A column that goes leaves room beside it and
 * none below, so that none goes for the sake of the height. Only a screen that is too narrow for three has smaller type,
 * and fewer columns where the smallest type is too wide.
 */
export function fitWall(needs: WallNeeds, screen: Screen): WallPlan {
  const leastPx = Math.max(smallestPx, screen.height * leastShare);
  const mostPx = Math.max(leastPx, screen.height * mostShare);
  const columns = columnsFor(needs, (each, unitPx) => widthOf(needs, each) <= room(screen, unitPx), leastPx);
  const isNarrow = (unitPx: number) => Math.max(widthOf(needs, columns), topWidth(needs)) <= room(screen, unitPx);
  for (const well of ['list', 'teams'] as const) {
    const fits = (unitPx: number) => isNarrow(unitPx) && rowsAtOnce(needs, well, screen, unitPx) >= needs.rows.length;
    if (fits(leastPx)) {
      return planOf(needs, { columns, well }, screen, largest(fits, leastPx, mostPx), [indexesOf(needs.rows)]);
    }
  }
  const isAny = (unitPx: number) => isNarrow(unitPx) && rowsAtOnce(needs, 'teams', screen, unitPx) >= 1;
  const unitPx = isAny(leastPx) ? leastPx : largest(isAny, smallestPx, leastPx);
  const pages = pagesOf(needs, rowsAtOnce(needs, 'teams', screen, unitPx));
  return planOf(needs, { columns, well: 'teams' }, screen, unitPx, pages);
}

function indexesOf(list: readonly unknown[]): number[] {
  return list.map((_, index) => index);
}

/** The most columns that fit in the least type, or three in a smaller one, or as many as fit in the smallest. */
function columnsFor(
  needs: WallNeeds,
  fits: (columns: readonly number[], unitPx: number) => boolean,
  leastPx: number,
): readonly number[] {
  const choices = columnChoices(needs);
  const few = choices.filter(({ length }) => length <= columnsLeast);
  const many = choices.filter((each) => each.length > columnsLeast || each === few[0]);
  return many.find((each) => fits(each, leastPx)) ?? few.find((each) => fits(each, smallestPx)) ?? choices.at(-1) ?? [];
}

/** The columns that are tried in turn, down to one. */
function columnChoices({ columns }: WallNeeds): number[][] {
  const all = indexesOf(columns);
  let left = all.filter((index) => !columns[index]?.isOther || columns[index]?.isLast);
  const choices = [all, left];
  while (left.length > 1) {
    const goes = left.find((index) => !columns[index]?.isLast);
    left = left.filter((index) => index !== goes);
    choices.push(left);
  }
  return choices;
}

/** The largest number for which something holds that holds for the first of two, to a quarter of a pixel. */
function largest(holds: (unitPx: number) => boolean, fromPx: number, untilPx: number): number {
  if (holds(untilPx)) return untilPx;
  let [low, high] = [fromPx, untilPx];
  while (high - low > 0.25) {
    const middle = (low + high) / 2;
    if (holds(middle)) low = middle;
    else high = middle;
  }
  return low;
}

function room({ width }: Screen, unitPx: number): number {
  return width / unitPx - 2 * sizes.edge;
}

/** The least width of what stands on top, in which the line below the headline may be broken. */
function topWidth({ headline, sub }: WallNeeds): number {
  return Math.max(headline * sizes.headline, most(sub) * sizes.sub) + sizes.now + sizes.subGap;
}

/** The least width of the table. */
function widthOf(needs: WallNeeds, columns: readonly number[]): number {
  if (needs.rows.length === 0) return 0;
  return nameWidths(needs, columns).least + columns.length * columnWidths(needs, columns).least;
}

function nameWidths({ rows }: WallNeeds, columns: readonly number[]) {
  const shown = new Set(columns);
  const widths = rows.map(({ nameLeast, nameWhole, cells }) => {
    const elsewhere = Math.max(0, ...cells.map((cell, index) => (shown.has(index) ? 0 : cell.elsewhere)));
    return { least: nameLeast + elsewhere, whole: nameWhole + elsewhere };
  });
  return { least: most(widths.map(({ least }) => least)), whole: most(widths.map(({ whole }) => whole)) };
}

function columnWidths({ rows, columns: all }: WallNeeds, columns: readonly number[]) {
  const heads = columns.map((index) => all[index]?.head ?? 0);
  const widest = (of: 'least' | 'whole') =>
    most([...heads, ...rows.map(({ cells }) => most(columns.map((index) => cells[index]?.[of] ?? 0)))]);
  return { least: widest('least'), whole: widest('whole') };
}

function most(widths: readonly number[]): number {
  return widths.reduce((widest, width) => Math.max(widest, width), 0);
}

/** How many rows there is room for, beside what else is to be seen. */
function rowsAtOnce(needs: WallNeeds, shown: WallPlan['well'], screen: Screen, unitPx: number): number {
  const wide = room(screen, unitPx);
  const { sub, well } = needs;
  const subLines = linesOf(
    sub.map((width) => width * sizes.sub),
    sizes.subGap * sizes.sub,
    wide - sizes.now - sizes.subGap,
  );
  const top = sizes.edge + sizes.headlineLine + subLines * sizes.subLine + sizes.gap;
  const below = well.count === 0 ? 0 : wellHeight(needs, shown, wide) + sizes.gap;
  const leftPx = screen.height - (top + below + sizes.foot) * unitPx;
  if (needs.rows.length === 0) return leftPx >= 0 ? 0 : -1;
  return Math.floor((leftPx - sizes.head * unitPx - 2 * linePx) / (sizes.row * unitPx));
}

function wellHeight({ well, teams }: WallNeeds, shown: WallPlan['well'], wide: number): number {
  if (shown === 'list') {
    const lines = Math.ceil(well.count / listColumnsOf(well.item, wide));
    return Math.max(sizes.wellHeadLines, lines * sizes.wellLine);
  }
  return Math.min(teamLinesMax, teamLines(teams, wide)) * sizes.wellLine;
}

function teamLines(teams: readonly number[], wide: number): number {
  return linesOf(
    [sizes.wellTitle, ...teams].map((width) => width * sizes.small),
    sizes.wellGap * sizes.small,
    wide,
  );
}

function listColumnsOf(item: number, wide: number): number {
  const inside = wide / sizes.small - sizes.wellHead - sizes.wellGap;
  return Math.max(1, Math.floor((inside + sizes.wellGap) / (item + sizes.wellGap)));
}

/** The number of lines that parts take which are broken where a line is full; one at least. */
function linesOf(widths: readonly number[], gap: number, wide: number): number {
  let [lines, used] = [1, 0];
  for (const width of widths) {
    const next = used === 0 ? width : used + gap + width;
    if (used > 0 && next > wide) lines += 1;
    used = used > 0 && next > wide ? width : next;
  }
  return lines;
}

function planOf(
  needs: WallNeeds,
  { columns, well }: Pick<WallPlan, 'columns' | 'well'>,
  screen: Screen,
  unitPx: number,
  pages: WallPlan['pages'],
): WallPlan {
  const wide = room(screen, unitPx);
  const names = nameWidths(needs, columns);
  const cells = columnWidths(needs, columns);
  const count = Math.max(1, columns.length);
  const wishes = { name: names.whole - names.least, cells: count * (cells.whole - cells.least) };
  const spare = Math.max(0, wide - names.least - count * cells.least);
  const share = wishes.name + wishes.cells > spare ? spare / (wishes.name + wishes.cells) : 1;
  const nameWidth = columns.length === 0 ? wide : Math.min(wide, names.least + wishes.name * share);
  return {
    unitPx,
    columns,
    nameWidth,
    columnWidth: (wide - nameWidth) / count,
    well,
    listColumns: listColumnsOf(needs.well.item, wide),
    teamsShown: teamsShownOf(needs.teams, wide),
    pages,
  };
}

/** Those that there is room for, with the word that there are more. */
function teamsShownOf(teams: readonly number[], wide: number): number {
  if (teamLines(teams, wide) <= teamLinesMax) return teams.length;
  let count = teams.length - 1;
  while (count > 0 && teamLines([...teams.slice(0, count), sizes.wellMore], wide) > teamLinesMax) count -= 1;
  return count;
}

/** Rows as pages of so many: what is pinned is on each, as long as it leaves room for others. */
function pagesOf({ rows }: WallNeeds, atOnce: number): number[][] {
  const all = indexesOf(rows);
  const pinned = all.filter((index) => rows[index]?.isPinned);
  const isRoom = pinned.length < atOnce;
  const others = isRoom ? all.filter((index) => !rows[index]?.isPinned) : all;
  const each = Math.max(1, isRoom ? atOnce - pinned.length : atOnce);
  const pages: number[][] = [];
  for (let from = 0; from < others.length; from += each) {
    pages.push([...(isRoom ? pinned : []), ...others.slice(from, from + each)]);
  }
  return pages.length > 0 ? pages : [all];
}
