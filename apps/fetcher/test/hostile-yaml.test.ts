import { describe, expect, test } from 'vitest';
import { workflowJobs } from '../src/adapters/github/workflow.ts';
import { ShapeFault } from '../src/tool/shape.ts';
import { mistakesIn } from './support/config.ts';

/** Nine levels of lists, each with ten aliases of the one below: 10⁹ strings, with fewer aliases than the limit. */
const levels = Array.from({ length: 9 }, (_, level) => {
  const item = level === 0 ? 'x' : `*l${level - 1}`;
  return `l${level}: &l${level} [${Array(10).fill(item).join(', ')}]`;
}).join('\n');

const workflowOf = (text: string) => workflowJobs('.github/workflows/a.yml', async () => text);

describe('a hostile workflow file', () => {
  test.each([
    ['lists of lists in a job', `${levels}\njobs: {a: {needs: *l8}}`],
    ['lists of lists instead of jobs', `${levels}\njobs: *l8`],
    ['unclosed brackets', `jobs: ${'['.repeat(20_000)}`],
    ['nested lists', `jobs: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['many dashes in a line', `jobs:\n ${'- '.repeat(20_000)}`],
    ['nested keys', `jobs: ${'? '.repeat(20_000)}\n${'? '.repeat(20_000)}`],
    ['nested blocks', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['an alias of itself', 'jobs: &a {a: *a}'],
    ['an object of another kind', 'jobs: {a: !!js/function "function () {}"}'],
  ])('with %s has no jobs', async (_, text) => {
    const jobs = await workflowOf(text).catch((error) => {
      expect(error).toBeInstanceOf(ShapeFault);
      return [];
    });
    expect(jobs.length).toBeLessThanOrEqual(1);
  });

  test('may nest forty levels deep', async () => {
    const jobs = await workflowOf(`jobs: {a: {environment: prod, with: ${'[{a: '.repeat(18)}1${'}]'.repeat(18)}}}`);
    expect(jobs).toMatchObject([{ key: 'a', environment: 'prod' }]);
  });

  test('may have jobs with the names of object members', async () => {
    const jobs = await workflowOf('jobs: {__proto__: {needs: constructor}, constructor: {environment: prod}}');
    expect(jobs.map(({ key, needs }) => [key, needs])).toEqual([
      ['__proto__', ['constructor']],
      ['constructor', []],
    ]);
  });
});

describe('a hostile configuration file', () => {
  test.each([
    ['lists of lists as a pattern', `version: 1\n${levels}\nrules:\n  - { match: { repo: *l8 } }`],
    ['lists of lists as services', `version: 1\nrules:\n${levels.replaceAll(/^/gm, '  - ').replaceAll(/l\d: /g, '')}`],
    ['unclosed brackets', `version: 1\nrules: ${'['.repeat(20_000)}`],
    ['an alias of itself', 'version: 1\nrules: &a [*a]'],
  ])('with %s is refused', (_, text) => {
    expect(mistakesIn(text)).not.toBe('none');
  });
});
