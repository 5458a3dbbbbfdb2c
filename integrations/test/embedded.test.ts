import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documentsOf, folder, script } from './support/steps.ts';

const text = readFileSync(script, 'utf8');
const page = readFileSync(join(folder, '../docs/integrations.md'), 'utf8');

/** The contents that embed.js would write, by path. */
const embedded: readonly (readonly [string, string])[] = JSON.parse(
  execFileSync(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { embedded } from ${JSON.stringify(join(folder, 'embed.js'))}; console.log(JSON.stringify([...embedded()]))`,
  ]).toString(),
);

test.each(embedded)('%s contains the script unchanged and is marked as generated', (path, expected) => {
  expect(expected.split('\n').slice(0, 2).join('\n')).toMatch(/^# (Generated|Partly generated).*npm run integrations/m);
  expect(readFileSync(join(folder, path), 'utf8')).toBe(expected);
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.filter((line) => !expected.includes(line))).toEqual([]);
});

test('the script contains nothing that a CI tool would replace', () => {
  expect(text.match(/<<|\$\[\[|\$\{\{|\$\([A-Za-z_][\w.]*\)/g) ?? []).toEqual([]);
});

describe('the snippet for users to copy', () => {
  const snippets = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, body = '']) => ({
    language,
    body,
  }));

  test('has at most a dozen lines for each tool', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(8);
    expect(snippets.filter(({ body }) => body.split('\n').length > 13)).toEqual([]);
  });

  test.each([
    [
      'github/action.yml',
      /uses: acme\/shiplog\/integrations\/github@v\S+\n\s+with: \{ ([^}]*(?:\}\}[^}]*)*) \}/g,
      inputsOf,
    ],
    ['gitlab/templates/shiplog.yml', /shiplog@v\S+\n\s+inputs: \{ (.*) \}/g, specInputsOf],
    ['circleci/orb.yml', /shiplog\/post: \{ (.*) \}/g, orbParametersOf],
    ['azure/shiplog-post.yml', /shiplog-post\.yml@shiplog\n\s+parameters: \{ (.*) \}/g, azureParametersOf],
  ] as const)('names only inputs that %s has', (path, call, inputs) => {
    const calls = [...page.matchAll(call)].map(([, given = '']) => given.replace(/\$\{\{.*?\}\}/g, ''));
    expect(calls).not.toEqual([]);
    const named = calls.flatMap((given) => [...given.matchAll(/([\w-]+): /g)].map(([, name]) => name));
    const known = inputs(documentsOf(path));
    expect(named.filter((name) => !known.includes(String(name)))).toEqual([]);
  });
});

test('every option of the script is documented', () => {
  const options = [...text.matchAll(/^ {4}(--[a-z-]+)(?: \| \S+)?\)/gm)].map(([, option = '']) => option);
  expect(options.length).toBeGreaterThan(15);
  expect(options.filter((option) => !page.includes(`\`${option}`))).toEqual([]);
});

function inputsOf([action]: unknown[]): string[] {
  return Object.keys((action as { inputs: object }).inputs);
}

function specInputsOf([head]: unknown[]): string[] {
  return Object.keys((head as { spec: { inputs: object } }).spec.inputs);
}

function orbParametersOf([orb]: unknown[]): string[] {
  return Object.keys((orb as { commands: { post: { parameters: object } } }).commands.post.parameters);
}

function azureParametersOf([template]: unknown[]): string[] {
  return (template as { parameters: { name: string }[] }).parameters.map(({ name }) => name);
}
