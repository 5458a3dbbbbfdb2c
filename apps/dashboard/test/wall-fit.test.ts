import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitWall, sizes, type WallNeeds, type WallPlan } from '../src/wall/fit.ts';
import { cutTo, leastWidth, type WidthOf } from '../src/wall/text-widths.ts';
import type { WallCell, WallContent } from '../src/wall/wall-content.ts';
import { inside, labelWidth, needsOf } from '../src/wall/wall-needs.ts';

const widths = { sans: 0.58, bold: 0.65, mono: 0.61, monoBold: 0.61 };
const widthOf: WidthOf = (face, text) => widths[face] * [...text].length;

const environments = ['dev', 'staging', 'qa', 'preprod', 'canary', 'prod'];
const screens = [
  { width: 1280, height: 720 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
] as const;

function aCell(index: number, change: Partial<WallCell> = {}): WallCell {
  const version = index % 9 === 4 ? '2026.11.19+build.4417.g3f2c1a9' : `${index}.2.0-rc.1`;
  return { tone: 'ok', shape: 'ok', version, label: '', sentence: '', ...change };
}

/** A wall of `services`. Some of them failed, every fourth failure in production. */
function content(services: number, failed: number): WallContent {
  return {
    columns: environments.map((name) => ({
      name,
      environments: [name],
      isOther: name === 'canary',
      isLast: name === 'prod',
    })),
    rows: Array.from({ length: failed }, (_, index) => ({
      service: index % 5 === 0 ? 'payments-reconciliation-worker-eu' : `orders-api-${index}`,
      cells: environments.map((name, column) => {
        const isAlarm = column === (index % 4 === 0 ? 5 : index % 5);
        return name === 'qa' && index % 3 === 0
          ? undefined
          : aCell(index, isAlarm ? { tone: 'bad', shape: 'bad', label: '26 min' } : {});
      }),
      isPinned: index % 4 === 0,
    })),
    healthy: Array.from({ length: services - failed }, (_, index) => ({
      service: `catalog-worker-${index}`,
      version: '1.14.0',
    })),
    teams: ['payments', 'orders', 'identity', 'catalog', 'platform'].map((name) => ({ name, count: 99 })),
    running: 0,
  };
}

const told = {
  headline: { tone: 'bad', service: 'orders-api', text: ' failed in prod' },
  sub: [[{ text: '12' }, { text: ' failed elsewhere' }]],
} as const;

function choiceOf({ columns, healthy, pages }: WallPlan) {
  return [columns.map((index) => environments[index]).join(' '), healthy, pages.length];
}

/** The height of a page, and its available and required widths, in units of the type size. */
function measured(
  plan: WallPlan,
  { rows, healthy, teams }: WallContent,
  screen: { readonly width: number; readonly height: number },
) {
  const wide = screen.width / plan.unitPx - 2 * sizes.edge;
  const onPage = Math.max(...plan.pages.map((page) => page.length));
  const list = Math.max(sizes.healthyHeadLines, Math.ceil(healthy.length / plan.listColumns) * sizes.healthyLine);
  const counts = teams.map(
    ({ name, count }) => widthOf('sans', `${name} `) + widthOf('bold', String(count)) + sizes.healthyGap,
  );
  const teamLines = counts.reduce((sum, width) => sum + width, sizes.healthyTitle) * sizes.small > wide ? 2 : 1;
  const below = plan.healthy === 'list' ? list : teamLines * sizes.healthyLine;
  const table = rows.length === 0 ? 0 : sizes.head + onPage * sizes.row;
  const height = sizes.edge + sizes.headlineLine + sizes.subLine + 2 * sizes.gap + table + below;
  return { heightPx: height * plan.unitPx, wide, used: plan.nameWidth + plan.columns.length * plan.columnWidth };
}

describe('the wall', () => {
  const all = 'dev staging qa preprod canary prod';
  test.each([
    [10, 2, [all, 'list', 1]],
    [31, 14, [all, 'list', 1]],
    [100, 14, [all, 'list', 1]],
    [100, 20, [all, 'teams', 1]],
    [500, 60, [all, 'teams', 6]],
    [500, 0, [all, 'teams', 1]],
  ])('a wall of %i services, %i of them unhealthy, has the same layout on every screen', (services, failed, due) => {
    for (const screen of screens) {
      const wall = content(services, failed);
      const plan = fitWall(needsOf(wall, told, widthOf), screen);
      const { heightPx, wide, used } = measured(plan, wall, screen);
      expect([screen.height, choiceOf(plan)]).toEqual([screen.height, due]);
      expect(plan.unitPx).toBeGreaterThanOrEqual(0.0185 * screen.height);
      expect(plan.unitPx).toBeLessThanOrEqual(0.05 * screen.height);
      expect(heightPx).toBeLessThanOrEqual(screen.height);
      if (failed > 0) expect(used).toBeCloseTo(wide);
    }
  });

  test.each([
    [6, all],
    [12, 'dev staging qa preprod prod'],
    [16, 'staging qa preprod prod'],
    [26, 'qa preprod prod'],
    [90, 'qa preprod prod'],
  ])(
    'with labels of %i characters, the wall omits columns: first those outside the promotion order, then from dev on',
    (signs, due) => {
      const wall = content(31, 14);
      const rows = wall.rows.map((row) => ({
        ...row,
        cells: row.cells.map((cell) => cell && { ...cell, label: cell.label && '9'.repeat(signs) }),
      }));
      const plan = fitWall(needsOf({ ...wall, rows }, told, widthOf), screens[1]);
      expect(plan.columns.map((index) => environments[index]).join(' ')).toBe(due);
    },
  );

  test('the type size grows with the screen', () => {
    const [small, , large] = screens.map((screen) => fitWall(needsOf(content(31, 14), told, widthOf), screen).unitPx);
    expect((large ?? 0) / (small ?? 1)).toBeCloseTo(3, 1);
  });

  test('no version is truncated to fewer than eight characters, and no label is truncated', () => {
    const wall = content(100, 14);
    const plan = fitWall(needsOf(wall, told, widthOf), screens[1]);
    for (const { cells } of wall.rows) {
      for (const cell of cells) {
        if (!cell) continue;
        const room = plan.columnWidth - inside.cell - labelWidth(cell, widthOf);
        const text = cutTo(cell.version, room, 'mono', widthOf);
        expect(widthOf('mono', text)).toBeLessThanOrEqual(room);
        expect(text.endsWith(cell.version.slice(-8))).toBe(true);
      }
    }
  });

  test('every row is on a page, and failures in production are on each page', () => {
    const wall = content(500, 60);
    const { pages } = fitWall(needsOf(wall, told, widthOf), screens[1]);
    expect(new Set(pages.flat()).size).toBe(60);
    const pinned = wall.rows.flatMap(({ isPinned }, index) => (isPinned ? [index] : []));
    for (const page of pages) expect(page.slice(0, pinned.length)).toEqual(pinned);
  });

  test('failures in production are divided, too, if they need more than a page', () => {
    const wall = content(500, 60);
    const rows = wall.rows.map((row) => ({ ...row, isPinned: true }));
    const { pages } = fitWall(needsOf({ ...wall, rows }, told, widthOf), screens[0]);
    expect(pages.flat()).toEqual(rows.map((_, index) => index));
  });

  test('the type is smaller only on a screen that is too narrow for three columns', () => {
    const screen = { width: 390, height: 844 };
    const plan = fitWall(needsOf(content(31, 14), told, widthOf), screen);
    expect(plan.columns).toHaveLength(3);
    expect(plan.unitPx).toBeLessThan(0.0185 * 844);
    expect((plan.nameWidth + 3 * plan.columnWidth + 2) * plan.unitPx).toBeLessThanOrEqual(390.5);
  });

  test('no row is truncated on any screen, and fewer than three columns are shown only if the smallest type is too wide', () => {
    const aScreen = fc.record({
      width: fc.integer({ min: 320, max: 7680 }),
      height: fc.integer({ min: 320, max: 4320 }),
    });
    const counts = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 300 }));
    fc.assert(
      fc.property(aScreen, counts, fc.integer({ min: 3, max: 15 }), (screen, [failed, well], signs) => {
        const wall = content(failed + well, failed);
        const rows = wall.rows.map((row) => ({
          ...row,
          cells: row.cells.map((cell) => cell && { ...cell, label: cell.label && '9'.repeat(signs) }),
        }));
        const plan = fitWall(needsOf({ ...wall, rows }, told, widthOf), screen);
        const { heightPx, wide, used } = measured(plan, wall, screen);
        expect(heightPx).toBeLessThanOrEqual(screen.height);
        expect(used).toBeLessThanOrEqual(wide + 1e-6);
        for (const { cells } of rows) {
          for (const index of plan.columns) {
            const cell = cells[index];
            const room = plan.columnWidth - inside.cell - (cell ? labelWidth(cell, widthOf) : 0);
            if (cell)
              expect(widthOf('mono', cutTo(cell.version, room, 'mono', widthOf))).toBeLessThanOrEqual(room + 1e-6);
          }
        }
        if (plan.columns.length < 3) expect(plan.unitPx).toBeLessThan(7);
      }),
    );
  });

  test("teams that don't fit are counted", () => {
    const needs: WallNeeds = { ...needsOf(content(500, 0), told, widthOf), teams: Array.from({ length: 90 }, () => 9) };
    const { teamsShown, unitPx } = fitWall(needs, screens[1]);
    const wide = (1920 / unitPx - 2) / sizes.small;
    expect(teamsShown * 11 + sizes.healthyTitle).toBeGreaterThan(wide);
    expect(teamsShown).toBeLessThan(90);
  });
});

describe('a text that is too long', () => {
  test.each([
    ['orders-api', 20, 'orders-api'],
    ['payments-reconciliation-worker-eu', 14, 'payme…orker-eu'],
    ['payments-reconciliation-worker-eu', 9, '…orker-eu'],
    ['payments-reconciliation-worker-eu', 1, '…orker-eu'],
    ['🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢🚢', 10, '🚢…🚢🚢🚢🚢🚢🚢🚢🚢'],
  ])('the text %s is shortened to %i characters: %s', (text, signs, due) => {
    expect(cutTo(text, signs * widths.mono + 0.01, 'mono', widthOf)).toBe(due);
  });

  test('a text that is hardly longer than its shortened form needs its full width', () => {
    expect(leastWidth('3.4.0-beta.2', 5, 'mono', widthOf)).toBeCloseTo(12 * widths.mono);
    expect(leastWidth('2026.11.19+build', 5, 'mono', widthOf)).toBeCloseTo(14 * widths.mono);
  });
});
