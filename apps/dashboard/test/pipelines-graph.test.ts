import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { chainsOf, newestOf } from '../src/pipelines/chain.ts';
import { deploymentsOf } from '../src/pipelines/deployment.ts';
import { alone, drawingOf } from '../src/pipelines/drawing.ts';
import { graphOf } from '../src/pipelines/graph.ts';
import { positioned } from '../src/pipelines/graph-layout.ts';

const columns = ['dev', 'staging', 'qa', 'preprod', 'prod'];

/** A row as "id environment < parent parent", with `minute` as its time and its position in the log. */
function rows(...lines: readonly string[]): DeploymentEvent[] {
  return lines.map((line, minute) => {
    const [what = '', from = ''] = line.split(' < ');
    const [deployment_id = '', environment = '', service = 'api'] = what.split(' ');
    return row({ deployment_id, environment, service, parent_deployments: from.split(' ').filter(Boolean) }, minute);
  });
}

function row(fields: Partial<DeploymentEvent>, minute = 0): DeploymentEvent {
  const at = String(minute).padStart(2, '0');
  return {
    id: `id-${at}`,
    deployment_id: 'd',
    service: 'api',
    environment: 'dev',
    status: 'success',
    happened_at: `2026-05-04T09:${at}:00Z`,
    ...fields,
  };
}

function graph(...lines: readonly string[]) {
  return graphOf(deploymentsOf(rows(...lines)), columns, () => 'missing');
}

function edges(...lines: readonly string[]): string[] {
  const { nodes, edges } = graph(...lines);
  const name = (key: string) => {
    const node = nodes.find((each) => each.key === key);
    return node?.kind === 'deployment' ? `${node.id}@${node.environment}` : `?${node?.id}`;
  };
  return edges.map(({ from, to }) => `${name(from)} -> ${name(to)}`).sort();
}

test('rows with one deployment_id in one environment are one deployment with the latest status', () => {
  const events = [
    row({ id: 'c', status: 'success', happened_at: '2026-05-04T09:00:02.5Z' }),
    row({ id: 'a', status: 'queued', happened_at: '2026-05-04T09:00:02Z', parent_deployments: ['p'] }),
    row({ id: 'b', status: 'in-progress', happened_at: '2026-05-04T09:00:02Z' }),
  ];
  const found = deploymentsOf([...events, ...events]);
  expect(found.map(({ rows, latest, parents }) => [rows.map(({ id }) => id).join(''), latest.id, parents])).toEqual([
    ['abc', 'c', ['p']],
  ]);
});

test('one deployment_id in several environments or services is a deployment in each', () => {
  expect(deploymentsOf(rows('d dev', 'd qa', 'd dev web')).map(({ key }) => JSON.parse(key))).toEqual([
    ['web', 'd', 'dev'],
    ['api', 'd', 'qa'],
    ['api', 'd', 'dev'],
  ]);
});

test.each([
  ['a parent leads to its child', ['a dev', 'b staging < a'], ['a@dev -> b@staging']],
  ['several parents each have an edge', ['a dev', 'b dev', 'c qa < a b'], ['a@dev -> c@qa', 'b@dev -> c@qa']],
  [
    'a parent in several environments: the nearest before the child',
    ['a dev', 'a staging', 'a prod', 'b qa < a'],
    ['a@staging -> b@qa'],
  ],
  ['none stands before the child: the nearest after it', ['a prod', 'a preprod', 'b qa < a'], ['a@preprod -> b@qa']],
  ['a run that names itself comes from its environment before', ['a dev', 'a staging < a'], ['a@dev -> a@staging']],
  ['what names only itself has no edge', ['a dev < a'], []],
  ['a parent that is not there stands for itself', ['b qa < a', 'c qa < a'], ['?a -> b@qa', '?a -> c@qa']],
  ['the own service goes before others', ['a dev', 'a dev web', 'b qa < a'], ['a@dev -> b@qa']],
  [
    'one run of other services leads from each',
    ['a dev web', 'a dev db', 'b qa < a'],
    ['a@dev -> b@qa', 'a@dev -> b@qa'],
  ],
  ['a cycle has both edges', ['a dev < b', 'b qa < a'], ['a@dev -> b@qa', 'b@qa -> a@dev']],
])('edges: %s', (_, lines, expected) => {
  expect(edges(...lines)).toEqual(expected);
});

test('chains are connected deployments, newest first; a shared deployment_id connects without an edge', () => {
  const chains = chainsOf(graph('a dev', 'x dev', 'b qa < a', 'y dev', 'y qa', 'c prod < b gone'));
  expect(
    chains.map(({ nodes }) =>
      nodes
        .map(({ id }) => id)
        .sort()
        .join(' '),
    ),
  ).toEqual(['a b c gone', 'y y', 'x']);
  expect(chains.map(({ key, newest }) => [key, newest.id])).toEqual([
    ['id-00', 'c'],
    ['id-03', 'y'],
    ['id-01', 'x'],
  ]);
});

test('a chain and a cycle of ten thousand deployments are found and laid out', () => {
  const count = 10_000;
  const events = Array.from({ length: count }, (_, index) =>
    row({
      id: String(index).padStart(5, '0'),
      deployment_id: `d${index}`,
      parent_deployments: [`d${(index + 1) % count}`],
    }),
  );
  const [chain, ...others] = chainsOf(graphOf(deploymentsOf(events), columns, () => 'missing'));
  expect([chain?.nodes.length, others.length]).toEqual([count, 0]);
  const kept = newestOf(chain ?? { nodes: [], edges: [] }, 120);
  expect([kept.nodes.length, kept.left]).toEqual([120, count - 120]);
  expect(positioned(kept, columns).nodes).toHaveLength(120);
});

function places(...lines: readonly string[]): Record<string, [number, number]> {
  const { nodes } = positioned(graph(...lines), columns);
  return Object.fromEntries(nodes.map(({ node, column, row: at }) => [node.id, [column, at]]));
}

test.each([
  ['a chain lies on one row', ['a dev', 'b staging < a', 'c qa < b'], { a: [0, 0], b: [1, 0], c: [2, 0] }],
  [
    'children of one parent stand one under the other',
    ['a dev', 'b qa < a', 'c qa < a'],
    { a: [0, 0], b: [2, 1], c: [2, 0] },
  ],
  ['a child stands by its parents', ['a dev', 'b dev', 'c qa < a b'], { a: [0, 1], b: [0, 0], c: [2, 0] }],
  [
    'what was tried again stands by the first try',
    ['a dev', 'z dev', 'b qa < a', 'c qa', 'b2 qa < b', 'b3 qa < b2'],
    { a: [0, 1], z: [0, 0], b3: [2, 1], b2: [2, 2], b: [2, 3], c: [2, 4] },
  ],
  [
    'an edge keeps clear of what stands between',
    ['a dev', 'b staging < a', 'c qa < a'],
    { a: [0, 0], b: [1, 0], c: [2, 1] },
  ],
  ['an absent parent stands left of its child', ['a staging', 'b qa < a gone'], { a: [1, 0], gone: [1, 1], b: [2, 0] }],
  [
    'before the first environment is a column of its own',
    ['a dev < gone', 'b qa < a'],
    { gone: [0, 0], a: [1, 0], b: [3, 0] },
  ],
  ['a cycle stands by its environments', ['a dev < b', 'b qa < a'], { a: [0, 0], b: [2, 0] }],
])('positions: %s', (_, lines, expected) => {
  expect(places(...lines)).toEqual(expected);
});

test('no two items overlap, whatever the edges', () => {
  const lines = columns.flatMap((name, at) =>
    Array.from(
      { length: 6 },
      (_, index) =>
        `${name}${index} ${name} < ${columns.map((other, turn) => `${other}${(index * at + turn) % 6}`).join(' ')}`,
    ),
  );
  const { nodes, edges: routed } = positioned(graph(...lines), columns);
  const all = [...nodes, ...routed.flatMap(({ bends }) => bends)].map(({ column, row: at }) => `${column} ${at}`);
  expect(new Set(all).size).toBe(all.length);
});

test('each edge has a line that ends at its child: forwards, within a column and backwards', () => {
  const { lines, width, height } = drawingOf(
    positioned(graph('a dev < b', 'b qa < a', 'c qa < b'), columns),
    columns.length,
    alone,
  );
  expect(lines.map(({ tip }) => tip.turn).sort()).toEqual(['left', 'right', 'right']);
  for (const { path, tip } of lines) {
    expect(path).not.toMatch(/NaN|undefined/);
    expect(tip.x >= 0 && tip.x <= width && tip.y >= 0 && tip.y <= height).toBe(true);
  }
});

/** The number of crossings between adjacent columns of a layout. */
function crossings(...lines: readonly string[]): number {
  const { nodes, edges: routed } = positioned(graph(...lines), columns);
  const places = new Map(nodes.map(({ node, column, row: at }) => [node.key, { column, row: at }]));
  const steps = routed.flatMap(({ from, to, bends }) => {
    const way = [places.get(from), ...bends, places.get(to)].flatMap((place) => place ?? []);
    // Edges within a column and backwards don't count.
    if ((places.get(from)?.column ?? 0) >= (places.get(to)?.column ?? 0)) return [];
    return way
      .slice(1)
      .map((next, index) => ({ column: way[index]?.column, up: way[index]?.row ?? 0, down: next.row }));
  });
  const pairs = steps.flatMap((one, index) => steps.slice(index + 1).map((other) => [one, other] as const));
  return pairs.filter(
    ([one, other]) => one.column === other.column && (one.up - other.up) * (one.down - other.down) < 0,
  ).length;
}

test.each([
  [
    'two chains that began in the other order',
    ['a dev', 'b dev', 'c staging < a', 'd staging < b', 'e qa < d', 'f qa < c'],
    0,
  ],
  ['a release of two parts, twice', ['a dev', 'b dev', 'c staging < a b', 'd dev', 'e dev', 'f staging < d e'], 0],
  [
    'what skips a stage beside what does not',
    ['a dev', 'b dev', 'c staging < a', 'd qa < b', 'e qa < c', 'f prod < d', 'g prod < e'],
    0,
  ],
  ['two that both have the same two parents', ['a dev', 'b dev', 'c qa < a b', 'd qa < a b'], 2],
  [
    'parents that stand crosswise',
    ['a dev', 'b dev', 'c dev', 'd staging < c', 'e staging < a', 'f staging < b', 'g qa < e f', 'h qa < d'],
    0,
  ],
])('few lines cross: %s', (_, lines, most) => {
  expect(crossings(...lines)).toBeLessThanOrEqual(most);
});

test('a tangle of 30 has no more crossings than with d3-dag 1.2.2', () => {
  const lines = columns.flatMap((name, at) =>
    Array.from(
      { length: 6 },
      (_, index) =>
        `${name}${index} ${name} < ${columns.map((other, turn) => `${other}${(index * at + turn) % 6}`).join(' ')}`,
    ),
  );
  expect(crossings(...lines)).toBeLessThanOrEqual(152);
});
