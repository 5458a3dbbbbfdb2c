/** The width that a cell needs, in units of the wall's type size. */
export interface CellNeed {
  /** The width with the shortest truncated version (`least`), and with the full version (`whole`). */
  readonly least: number;
  readonly whole: number;
  /** The width of the alarm next to the name if the column isn't shown; 0 = no alarm. */
  readonly elsewhere: number;
}

interface RowNeed {
  readonly nameLeast: number;
  readonly nameWhole: number;
  readonly cells: readonly CellNeed[];
  readonly isPinned: boolean;
}

interface ColumnNeed {
  readonly head: number;
  /** Whether the column isn't in the promotion order. */
  readonly isOther: boolean;
  /** Whether the column is production or its substitute, which is never omitted. */
  readonly isLast: boolean;
}

/** The sizes of the wall's content, in units of its type size. */
export interface WallNeeds {
  readonly columns: readonly ColumnNeed[];
  readonly rows: readonly RowNeed[];
  /** The healthy services: their number, and the width of one in the list. */
  readonly healthy: { readonly count: number; readonly item: number };
  /** The counts by team, which replace a list that doesn't fit. */
  readonly teams: readonly number[];
  /** The headline, in units of its own type size. */
  readonly headline: number;
  readonly sub: readonly number[];
}

export interface WallPlan {
  readonly unitPx: number;
  readonly columns: readonly number[];
  readonly nameWidth: number;
  readonly columnWidth: number;
  readonly healthy: 'list' | 'teams';
  readonly listColumns: number;
  readonly teamsShown: number;
  /** The row indexes of each page; at least one page. */
  readonly pages: readonly (readonly number[])[];
}

/** The minimum and maximum type size, as shares of the height of the screen. */
const leastShare = 0.0185;
const mostShare = 0.05;
const columnsLeast = 3;
const smallestPx = 6;

/** The measures of the wall, in units of its type size. `wall.css` has the same measures. */
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
  healthyLine: 1.2,
  healthyHead: 7.3,
  healthyHeadLines: 4.2,
  healthyGap: 2,
  healthyTitle: 10,
  healthyMore: 10,
  foot: 0.6,
} as const;
const teamLinesMax = 2;
/** The width of the table's border. The lines between rows are part of the rows. */
const linePx = 1;

interface Screen {
  readonly width: number;
  readonly height: number;
}

/**
 * Finds the largest type size, between 1.85 and 5 % of the height, at which everything fits. If the content is too wide
 * at the smallest size, omits columns outside the promotion order, then columns from the left, down to three. If it is
 * too tall, replaces the list of healthy services by counts by team, then divides the rows into pages. A screen that is
 * too narrow for three columns gets smaller type, then fewer columns.
 */
export function fitWall(needs: WallNeeds, screen: Screen): WallPlan {
  const leastPx = Math.max(smallestPx, screen.height * leastShare);
  const mostPx = Math.max(leastPx, screen.height * mostShare);
  const columns = columnsFor(needs, (each, unitPx) => widthOf(needs, each) <= room(screen, unitPx), leastPx);
  const isNarrow = (unitPx: number) => Math.max(widthOf(needs, columns), topWidth(needs)) <= room(screen, unitPx);
  for (const healthy of ['list', 'teams'] as const) {
    const fits = (unitPx: number) =>
      isNarrow(unitPx) && rowsAtOnce(needs, healthy, screen, unitPx) >= needs.rows.length;
    if (fits(leastPx)) {
      return planOf(needs, { columns, healthy }, screen, largest(fits, leastPx, mostPx), [indexesOf(needs.rows)]);
    }
  }
  const isAny = (unitPx: number) => isNarrow(unitPx) && rowsAtOnce(needs, 'teams', screen, unitPx) >= 1;
  const unitPx = isAny(leastPx) ? leastPx : largest(isAny, smallestPx, leastPx);
  const pages = pagesOf(needs, rowsAtOnce(needs, 'teams', screen, unitPx));
  return planOf(needs, { columns, healthy: 'teams' }, screen, unitPx, pages);
}

function indexesOf(list: readonly unknown[]): number[] {
  return list.map((_, index) => index);
}

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

/** The sets of columns to try, in order, down to one column. */
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

/** The largest size for which `holds` is true, to a quarter of a pixel. `holds` must be true for `fromPx`. */
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

/** The minimum width of the top part. The line below the headline may wrap. */
function topWidth({ headline, sub }: WallNeeds): number {
  return Math.max(headline * sizes.headline, most(sub) * sizes.sub) + sizes.now + sizes.subGap;
}

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

/** The number of rows that fit next to all other content of the wall. */
function rowsAtOnce(needs: WallNeeds, shown: WallPlan['healthy'], screen: Screen, unitPx: number): number {
  const wide = room(screen, unitPx);
  const { sub, healthy } = needs;
  const subLines = wrappedLines(
    sub.map((width) => width * sizes.sub),
    sizes.subGap * sizes.sub,
    wide - sizes.now - sizes.subGap,
  );
  const top = sizes.edge + sizes.headlineLine + subLines * sizes.subLine + sizes.gap;
  const belowEm = healthy.count === 0 ? 0 : healthyHeight(needs, shown, wide) + sizes.gap;
  const leftPx = screen.height - (top + belowEm + sizes.foot) * unitPx;
  if (needs.rows.length === 0) return leftPx >= 0 ? 0 : -1;
  return Math.floor((leftPx - sizes.head * unitPx - 2 * linePx) / (sizes.row * unitPx));
}

function healthyHeight({ healthy, teams }: WallNeeds, shown: WallPlan['healthy'], wide: number): number {
  if (shown === 'list') {
    const lines = Math.ceil(healthy.count / listColumnsOf(healthy.item, wide));
    return Math.max(sizes.healthyHeadLines, lines * sizes.healthyLine);
  }
  return Math.min(teamLinesMax, teamLines(teams, wide)) * sizes.healthyLine;
}

function teamLines(teams: readonly number[], wide: number): number {
  return wrappedLines(
    [sizes.healthyTitle, ...teams].map((width) => width * sizes.small),
    sizes.healthyGap * sizes.small,
    wide,
  );
}

function listColumnsOf(item: number, wide: number): number {
  const listWidth = wide / sizes.small - sizes.healthyHead - sizes.healthyGap;
  return Math.max(1, Math.floor((listWidth + sizes.healthyGap) / (item + sizes.healthyGap)));
}

/** The number of lines that wrapped parts need; at least one. */
function wrappedLines(widths: readonly number[], gap: number, wide: number): number {
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
  { columns, healthy }: Pick<WallPlan, 'columns' | 'healthy'>,
  screen: Screen,
  unitPx: number,
  pages: WallPlan['pages'],
): WallPlan {
  const wide = room(screen, unitPx);
  const names = nameWidths(needs, columns);
  const cells = columnWidths(needs, columns);
  const count = Math.max(1, columns.length);
  const extra = { name: names.whole - names.least, cells: count * (cells.whole - cells.least) };
  const spare = Math.max(0, wide - names.least - count * cells.least);
  // Names come first, because a cut version keeps its end, and two cut names may look the same.
  const share = Math.max(wide / 3 - names.least, (spare * extra.name) / (extra.name + extra.cells || 1));
  const nameWidth = columns.length === 0 ? wide : names.least + Math.min(extra.name, spare, share);
  return {
    unitPx,
    columns,
    nameWidth,
    columnWidth: (wide - nameWidth) / count,
    healthy,
    listColumns: listColumnsOf(needs.healthy.item, wide),
    teamsShown: teamsShownOf(needs.teams, wide),
    pages,
  };
}

/** The number of teams that fit. Leaves space for "more teams" if some don't fit. */
function teamsShownOf(teams: readonly number[], wide: number): number {
  if (teamLines(teams, wide) <= teamLinesMax) return teams.length;
  let count = teams.length - 1;
  while (count > 0 && teamLines([...teams.slice(0, count), sizes.healthyMore], wide) > teamLinesMax) count -= 1;
  return count;
}

/** Divides rows into pages of `atOnce`. Pinned rows are on every page if they leave space for other rows. */
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
