import { expect, test } from 'vitest';
import { jobsOf } from '../src/domain/jobs.ts';

function jobsIn(jobs: string, ...callees: readonly string[]) {
  const files = [jobs, ...callees].map((text, index) => ({
    path: `.github/workflows/w${index}.yml`,
    yaml: `jobs:\n${text}`,
  }));
  const [first] = files;
  return first ? jobsOf(first, files) : [];
}

const names = (jobs: ReturnType<typeof jobsOf>) => jobs.map(({ name }) => name);

test.each<[string, string, readonly string[]]>([
  ['a job is named by its name field, or else by its key', '  a: {name: Alpha}\n  b: {}\n', ['Alpha', 'b']],
  [
    'a matrix gives a job for each combination',
    '  a: {strategy: {matrix: {x: [1, 2], y: [eu, us]}}}\n',
    ['a (1, eu)', 'a (1, us)', 'a (2, eu)', 'a (2, us)'],
  ],
  ['an entry that is not a job is skipped', '  a: {}\n  b: text\n', ['a']],
  ['a file that is not YAML has no jobs', '  a: [\n', []],
])('%s', (_, jobs, expected) => {
  expect(names(jobsIn(jobs))).toEqual(expected);
});

test('a reusable workflow replaces its caller and inherits its needs', () => {
  const jobs = jobsIn(
    '  a: {}\n  b: {needs: a, uses: ./.github/workflows/w1.yml}\n',
    '  test: {}\n  ship: {needs: test}\n',
  );
  expect(jobs.map(({ key, needs }) => [key, needs])).toEqual([
    ['a', []],
    ['b / test', ['a']],
    ['b / ship', ['b / test']],
  ]);
});

test('an environment from an expression is unknown, except for matrix values', () => {
  const jobs = jobsIn(
    `  a: {environment: {name: dev}}\n  b: {environment: "\${{ inputs.e }}"}\n  c: {strategy: {matrix: {e: [qa]}}, environment: "x-\${{ matrix.e }}"}\n`,
  );
  expect(jobs.map(({ environment }) => environment)).toEqual(['dev', undefined, 'x-qa']);
});

test('a file has at most a hundred jobs', () => {
  const list = `[${Array.from({ length: 90 }, (_, index) => index).join(', ')}]`;
  const matrix = `  a: {strategy: {matrix: {${[...'abcdefgh'].map((name) => `${name}: ${list}`).join(', ')}}}}\n`;
  expect(jobsIn(matrix)).toHaveLength(100);
  const calls = Array.from({ length: 500 }, (_, index) => `  j${index}: {uses: ./.github/workflows/w0.yml}\n`).join('');
  expect(jobsIn(calls)).toHaveLength(100);
  const empty = calls.replaceAll('w0', 'w1');
  expect(jobsIn(empty, calls.replaceAll('w0', 'w2'), '')).toHaveLength(100);
});
