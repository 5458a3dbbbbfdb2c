import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readFiles, root } from './repository.ts';

const workflows = readFiles(['.github/workflows'], /\.yml$/);

test('workflows call scripts and files that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const missing = workflows.flatMap(({ path, text }) => {
    const called = [...text.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, name = '']) => name);
    const files = [...text.matchAll(/(?:run: |uses: \.\/|file: )(\.[\w/.-]+)/g)].map(([, file = '']) => file);
    return [
      ...called.filter((name) => !(name in scripts)),
      ...files.filter((file) => !existsSync(join(root, file))),
    ].map((name) => `${path}: ${name}`);
  });
  expect(workflows.length).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('workflows pin official actions to the commit of a release, because tags can move', () => {
  const used = workflows.flatMap(({ text }) => [...text.matchAll(/uses: (.*)/g)].map(([, action = '']) => action));
  expect(used.filter((action) => !/^(?:actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\S+)$/.test(action))).toEqual(
    [],
  );
});
