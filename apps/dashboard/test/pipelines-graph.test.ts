import type { DeploymentEvent } from '@shiplog/contract';
import { expect, test } from 'vitest';
import { chainsOf, newestOf } from '../src/pipelines/chain.ts';
import { deploymentsOf } from '../src/pipelines/deployment.ts';
import { alone, drawingOf } from '../src/pipelines/drawing.ts';
import { graphOf } from '../src/pipelines/graph.ts';
import { positioned } from '../src/pipelines/graph-layout.ts';

const columns = ['dev', 'staging', 'qa', 'preprod', 'prod'];

/** Events written as "id environment < parent parent"; `minute` is the position in the list. */
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

test('events with the same deployment_id in the same environment are one deployment with the latest status', () => {
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

test('one deployment_id in several environments or services means a deployment in each', () => {
  expect(deploymentsOf(rows('d dev', 'd qa', 'd dev web')).map(({ key }) => JSON.parse(key))).toEqual([
    ['web', 'd', 'dev'],
    ['api', 'd', 'qa'],
    ['api', 'd', 'dev'],
  ]);
});

test.each([
  ['a parent has an edge to its child', ['a dev', 'b staging < a'], ['a@dev -> b@staging']],
  ['each of several parents has an edge', ['a dev', 'b dev', 'c qa < a b'], ['a@dev -> c@qa', 'b@dev -> c@qa']],
  [
    'if a parent is in several environments, the nearest one before the child has the edge',
    ['a dev', 'a staging', 'a prod', 'b qa < a'],
    ['a@staging -> b@qa'],
  ],
  [
    'if no parent is before the child, the nearest one after it has the edge',
    ['a prod', 'a preprod', 'b qa < a'],
    ['a@preprod -> b@qa'],
  ],
  [
    'a run that names itself as its parent comes from the previous environment',
    ['a dev', 'a staging < a'],
    ['a@dev -> a@staging'],
  ],
  ['a run that names only itself has no edge', ['a dev < a'], []],
  ['an absent parent has an edge to each child', ['b qa < a', 'c qa < a'], ['?a -> b@qa', '?a -> c@qa']],
  ['a parent in the same service is preferred', ['a dev', 'a dev web', 'b qa < a'], ['a@dev -> b@qa']],
  [
    'a parent in several other services has an edge from each',
    ['a dev web', 'a dev db', 'b qa < a'],
    ['a@dev -> b@qa', 'a@dev -> b@qa'],
  ],
  ['a cycle has both edges', ['a dev < b', 'b qa < a'], ['a@dev -> b@qa', 'b@qa -> a@dev']],
])('the edges of a graph: %s', (_, lines, expected) => {
  expect(edges(...lines)).toEqual(expected);
});

test('a chain consists of connected deployments, newest first; a shared deployment_id connects without an edge', () => {
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
  ['a chain is on one row', ['a dev', 'b staging < a', 'c qa < b'], { a: [0, 0], b: [1, 0], c: [2, 0] }],
  [
    'the children of a parent are below each other',
    ['a dev', 'b qa < a', 'c qa < a'],
    { a: [0, 0], b: [2, 1], c: [2, 0] },
  ],
  ['a child is next to its parents', ['a dev', 'b dev', 'c qa < a b'], { a: [0, 1], b: [0, 0], c: [2, 0] }],
  [
    'a retry is next to the first attempt',
    ['a dev', 'z dev', 'b qa < a', 'c qa', 'b2 qa < b', 'b3 qa < b2'],
    { a: [0, 1], z: [0, 0], b3: [2, 1], b2: [2, 2], b: [2, 3], c: [2, 4] },
  ],
  [
    'an edge does not cross the nodes between its ends',
    ['a dev', 'b staging < a', 'c qa < a'],
    { a: [0, 0], b: [1, 0], c: [2, 1] },
  ],
  [
    'an absent parent is to the left of its child',
    ['a staging', 'b qa < a gone'],
    { a: [1, 0], gone: [1, 1], b: [2, 0] },
  ],
  [
    'a parent of a node in the first environment has an additional column before it',
    ['a dev < gone', 'b qa < a'],
    { gone: [0, 0], a: [1, 0], b: [3, 0] },
  ],
  [
    'the nodes of a cycle are in the columns of their environments',
    ['a dev < b', 'b qa < a'],
    { a: [0, 0], b: [2, 0] },
  ],
])('the positions in a graph: %s', (_, lines, expected) => {
  expect(places(...lines)).toEqual(expected);
});

test('no two nodes of a graph overlap, whatever the edges', () => {
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

/** The number of crossings between adjacent columns of a graph's layout. */
function crossings(...lines: readonly string[]): number {
  const { nodes, edges: routed } = positioned(graph(...lines), columns);
  const places = new Map(nodes.map(({ node, column, row: at }) => [node.key, { column, row: at }]));
  const steps = routed.flatMap(({ from, to, bends }) => {
    const way = [places.get(from), ...bends, places.get(to)].flatMap((place) => place ?? []);
    // Edges within a column and backward edges don't count.
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
    'two chains whose deployments began in a different order',
    ['a dev', 'b dev', 'c staging < a', 'd staging < b', 'e qa < d', 'f qa < c'],
    0,
  ],
  [
    'two releases of two deployments each',
    ['a dev', 'b dev', 'c staging < a b', 'd dev', 'e dev', 'f staging < d e'],
    0,
  ],
  [
    'one chain that skips a stage and one that skips none',
    ['a dev', 'b dev', 'c staging < a', 'd qa < b', 'e qa < c', 'f prod < d', 'g prod < e'],
    0,
  ],
  ['two deployments with the same two parents', ['a dev', 'b dev', 'c qa < a b', 'd qa < a b'], 2],
  [
    'parents in a different order than their children',
    ['a dev', 'b dev', 'c dev', 'd staging < c', 'e staging < a', 'f staging < b', 'g qa < e f', 'h qa < d'],
    0,
  ],
])('the lines of a graph cross rarely: %s', (_, lines, most) => {
  expect(crossings(...lines)).toBeLessThanOrEqual(most);
});

test('a random graph of 30 deployments has no more crossings than with d3-dag 1.2.2', () => {
  const lines = columns.flatMap((name, at) =>
    Array.from(
      { length: 6 },
      (_, index) =>
        `${name}${index} ${name} < ${columns.map((other, turn) => `${other}${(index * at + turn) % 6}`).join(' ')}`,
    ),
  );
  expect(crossings(...lines)).toBeLessThanOrEqual(152);
});
