import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Figure } from './harness/figure.ts';
import type { Curve, Outcome, Result } from './harness/outcome.ts';
import { plot } from './harness/plot.ts';
import { Absent } from './harness/programs.ts';
import { page, pointsOf, type Report, replacePart, summaryPart, table } from './harness/report.ts';
import { runBenches } from './harness/run.ts';
import { save } from './harness/save.ts';

const figure: Figure = { goal: 'P1', title: 'posts', measured: [1500], unit: '/s', reach: { atLeast: 1000 } };

const curve: Curve = {
  name: 'ingest',
  title: 'Durable posts a second',
  x: { label: 'connections', logarithmic: true },
  y: { label: 'posts/s' },
  series: [
    { name: 'shiplog', points: [1, 16, 64].map((place) => [place, 200 * place] as const) },
    { name: 'pgbench & friends', points: [[64, 14_300]] },
  ],
};

const outcome: Outcome = { figures: [figure], curves: [curve] };

function resultOf(name: string, changes: Partial<Result> = {}): Result {
  return { name, seconds: 80, outcome, notMeasured: [], ...changes };
}

function reportOf(...results: readonly Result[]): Report {
  return { startedAt: new Date('2026-05-04T23:30:00Z'), seconds: 125, machine: [['Node', 'v20.20.2']], results };
}

describe('table', () => {
  const inSql = { title: 'naive SQL', measured: [1600, 1700, 1900] };
  test.each<[string, Partial<Figure>, string]>([
    ['a figure without a yardstick', {}, '| P1 | posts | 1,500/s |  |  | ≥ 1,000/s | yes |'],
    [
      'a ratio with its range',
      {
        measured: [8, 12, 9],
        unit: 'ms',
        yardstick: { title: 'nchan', measured: [10, 10, 10] },
        reach: { atMost: 0.8 },
      },
      '| P1 | posts | 9.0 ms (8.0–12.0) | nchan: 10.0 ms | 0.90 (0.80–1.2) | ≤ 0.8 | **no** |',
    ],
    [
      'a small ratio if the goal is a fraction',
      { measured: [10, 10, 10], unit: 'ms', yardstick: inSql, reach: { atMost: 1 / 500 } },
      '| P1 | posts | 10.0 ms | naive SQL: 1,700 ms | 1/170 (1/190–1/160) | ≤ 1/500 | **no** |',
    ],
    [
      'a ratio that is not small although the goal is a fraction',
      { measured: [340], unit: 'ms', yardstick: { title: 'plain SQL', measured: [1700] }, reach: { atMost: 1 / 4 } },
      '| P1 | posts | 340 ms | plain SQL: 1,700 ms | 0.20 | ≤ 1/4 | yes |',
    ],
  ])('has a row for %s', (_, changes, row) => {
    expect(table([{ ...figure, ...changes }]).split('\n')[2]).toBe(row);
  });
});

describe('page of a run', () => {
  test('has the date, the machine, the duration and every figure', () => {
    const text = page(reportOf(resultOf('ingest')));
    expect(text).toContain('# Performance on 2026-05-04\n');
    expect(text).toContain('| Took | 2 min 5 s |\n| Node | v20.20.2 |\n| Benches | ingest 1 min 20 s |\n');
    expect(text).toContain(table([figure]));
    expect(text).toMatch(/1 of 1 figures reach their goal.*## What is missing\n\nNothing\.\n$/s);
  });

  test('has the points of each plot as a table', () => {
    const points = [
      '| connections | shiplog, posts/s | pgbench & friends, posts/s |',
      '| --- | --- | --- |',
      '| 1 | 200 |  |',
      '| 16 | 3,200 |  |',
      '| 64 | 12,800 | 14,300 |',
    ];
    expect(page(reportOf(resultOf('ingest')))).toContain(`### Durable posts a second\n\n${points.join('\n')}\n`);
  });

  test('lists skipped benchmarks, failed benchmarks and goals that were not measured', () => {
    const empty = { outcome: { figures: [] } };
    const fanout = resultOf('fanout', { ...empty, leftOut: 'nginx is not here', notMeasured: ['P5', 'P6'] });
    const text = page(reportOf(fanout, resultOf('reads', { ...empty, error: 'Error: 503', notMeasured: ['P9'] })));
    expect(text).toContain(
      '- fanout was left out: nginx is not here.\n- Not measured by fanout: P5, P6.\n- reads failed: Error: 503\n- Not measured by reads: P9.\n',
    );
  });

  test('joins the lines of a plot from two benchmarks', () => {
    const other = { ...curve, series: [{ name: 'dora', points: [[64, 3]] as const }] };
    const text = page(
      reportOf(resultOf('reads'), resultOf('analytics', { outcome: { figures: [], curves: [other] } })),
    );
    expect(text.match(/^### .*$/gm)).toEqual(['### Durable posts a second']);
    expect(text).toContain('| connections | shiplog, posts/s | pgbench & friends, posts/s | dora, posts/s |');
  });
});

describe('documentation', () => {
  const text = 'before\n<!-- npm run bench writes from here -->\nold\n<!-- to here -->\nafter\n';

  test('is replaced only between the marks, even when this is repeated', () => {
    const once = replacePart(text, 'new');
    expect(once).toBe('before\n<!-- npm run bench writes from here -->\n\nnew\n\n<!-- to here -->\nafter\n');
    expect(replacePart(once, 'new')).toBe(once);
  });

  test('is unchanged if a mark is missing', () => {
    expect(() => replacePart(text.replace('<!-- to here -->', ''), 'new')).toThrow('missing');
  });

  test('is saved with its page and plots, and plots of earlier runs are deleted', async () => {
    const root = await mkdtemp(join(tmpdir(), 'shiplog-report-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const plots = join(root, 'docs/images/performance');
    await mkdir(plots, { recursive: true });
    await writeFile(join(plots, 'earlier.svg'), '');
    await writeFile(join(root, 'docs/performance.md'), text);
    const report = reportOf(resultOf('ingest'));
    const written = await save(root, report);
    expect(written).toEqual([
      'bench/results/2026-05-04.md',
      'docs/performance.md',
      'docs/images/performance/ingest.svg',
    ]);
    expect(await readdir(plots)).toEqual(['ingest.svg']);
    expect(await readFile(join(root, 'bench/results/2026-05-04.md'), 'utf8')).toBe(page(report));
    const documented = await readFile(join(root, 'docs/performance.md'), 'utf8');
    expect(documented).toBe(replacePart(text, summaryPart(report)));
    expect(documented).toContain('![Durable posts a second](images/performance/ingest.svg)');
  });

  test('links to the page of the run and lists only missed goals', () => {
    const missed: Figure = { ...figure, goal: 'P2', reach: { atLeast: 2000 } };
    const part = summaryPart(reportOf(resultOf('ingest', { outcome: { figures: [figure, missed] } })));
    expect(part).toBe(
      [
        'The last complete run is [that of 2026-05-04](../bench/results/2026-05-04.md): 1 of 2 figures reach their goal.',
        '',
        '| Missed | Figure | Result | Reach |',
        '| --- | --- | --- | --- |',
        '| P2 | posts | 1,500/s | ≥ 2,000/s |',
      ].join('\n'),
    );
  });

  test('has no table when every goal is reached', () => {
    expect(summaryPart(reportOf(resultOf('ingest')))).not.toContain('|');
  });
});

describe('run', () => {
  const bench = (measure: () => Promise<Outcome>) => ({ goals: ['P1', 'P2'], measure });

  test('continues after a benchmark that fails or misses a program, and reports each benchmark when it ends', async () => {
    const lines: string[] = [];
    const results = await runBenches(
      [
        ['reads', bench(() => Promise.reject(new Error('503\nand more')))],
        ['fanout', bench(() => Promise.reject(new Absent('nginx is not here')))],
        ['ingest', bench(() => Promise.resolve(outcome))],
      ],
      (text) => lines.push(text),
    );
    expect(results.map(({ seconds: _, ...result }) => result)).toEqual([
      { name: 'reads', outcome: { figures: [] }, error: 'Error: 503', notMeasured: ['P1', 'P2'] },
      { name: 'fanout', outcome: { figures: [] }, leftOut: 'nginx is not here', notMeasured: ['P1', 'P2'] },
      { name: 'ingest', outcome, notMeasured: ['P2'] },
    ]);
    const told = lines.filter((line) => line.startsWith('[')).map((line) => line.replace(/ [\d.]+ s$/, ' some time'));
    expect(told).toEqual([
      '[1/3] reads …',
      '[1/3] reads took some time',
      '[2/3] fanout …',
      '[2/3] fanout took some time',
      '[3/3] ingest …',
      '[3/3] ingest took some time',
    ]);
    expect(lines).toContain(table([figure]));
    expect(lines).toContain(pointsOf(curve));
  });
});

describe('plot', () => {
  test('is well-formed SVG without animation', () => {
    const svg = plot(curve);
    expect(openElements(svg)).toEqual([]);
    expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain('<rect width="720" height="400" x="0" y="0" fill="#ffffff"></rect>');
    expect(svg).not.toMatch(/<script|<animate|@keyframes|transition|href="http/);
  });

  test('has a title, axis labels, line names with their last values, and the measured points', () => {
    const texts = [...plot(curve).matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((match) => match[1]);
    const expected = ['Durable posts a second', 'connections', 'posts/s', '1', '16', '64', 'shiplog 12,800'];
    expect(texts).toEqual(expect.arrayContaining(expected));
  });

  test('shortens axis numbers that would overlap', () => {
    const points = [1024, 10_000, 100_000, 5_000_000].map((place) => [place, 1] as const);
    const svg = plot({ ...curve, series: [{ name: 'matrix', points }] });
    expect([...svg.matchAll(/>([\d,.]+[kM]?)</g)].map((match) => match[1])).toEqual(
      expect.arrayContaining(['1,024', '10,000', '100k', '5M']),
    );
  });

  test('has round axis numbers when there are many points', () => {
    const points = Array.from({ length: 200 }, (_, index) => [index * 5003, 100 + index / 7] as const);
    const svg = plot({ ...curve, x: { label: 'posts' }, series: [{ name: 'resident memory', points }] });
    const numbers = [...svg.matchAll(/>([\d,.]+[kM]?)</g)].map((match) => match[1]);
    expect(numbers).toEqual(expect.arrayContaining(['0', '200k', '1M']));
    expect(numbers.length).toBeLessThan(16);
  });

  test('shows the value of each point when there is only one line', () => {
    const [series] = curve.series;
    expect(plot({ ...curve, series: series ? [series] : [] })).toMatch(/>200<.*>3,200<.*>12,800</s);
  });
});

/** Returns the elements without an end tag. Throws if an end tag does not match. */
function openElements(svg: string): string[] {
  const open: string[] = [];
  const markup = svg.replace(/<!\[CDATA\[.*?\]\]>/gs, '');
  for (const [tag, slash, name = ''] of markup.matchAll(
    /<(\/?)([a-zA-Z]+)(?:\s+[\w:-]+="[^"<]*")*\s*\/?>|<|&(?!\w+;)/g,
  )) {
    if (name === '') throw new Error(`stray ${tag}`);
    if (slash === '') open.push(name);
    if (slash === '/' && open.pop() !== name) throw new Error(`${tag} closes another element`);
    if (tag.endsWith('/>')) open.pop();
  }
  return open;
}
