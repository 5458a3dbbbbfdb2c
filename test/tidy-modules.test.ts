import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readFiles } from './repository.ts';

/** The imports of each module within its package, including type imports, because these also couple modules. */
function importGraph(): Map<string, readonly string[]> {
  const modules = readFiles(['libs', 'apps'], /\/(?:src|panel|files|ui)\/.*\.(?:tsx?|js)$/);
  return new Map(
    modules.map(({ path, text }) => {
      const imported = text.matchAll(/^(?:import|export)\b[^;]*?'(\.[^']+)';/gm);
      return [path, [...imported].map(([, target = '']) => join(dirname(path), target))];
    }),
  );
}

/** The import cycles, each as the path from a module back to itself. */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (module: string, way: readonly string[]): void => {
    if (way.includes(module)) circles.push([...way.slice(way.indexOf(module)), module].join(' → '));
    if (way.includes(module) || done.has(module)) return;
    for (const target of graph.get(module) ?? []) walk(target, [...way, module]);
    done.add(module);
  };
  for (const module of graph.keys()) walk(module, []);
  return circles;
}

test('modules have no import cycles', () => {
  const graph = importGraph();
  expect(graph.size).toBeGreaterThan(300);
  expect(circlesIn(graph)).toEqual([]);
});

describe('every library has a README with an example and its limits', () => {
  const libraries = readFiles(['libs'], /^libs\/[^/]+\/package\.json$/).map(({ path }) => dirname(path));
  test.each(libraries)('%s', (library) => {
    const [readme] = readFiles([library], /^libs\/[^/]+\/README\.md$/);
    const headings = readme?.text.split('\n').filter((line) => line.startsWith('#'));
    expect(headings).toEqual([library.replace('libs/', '# @shiplog/'), '## Example', '## Limits']);
  });
});
