import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { globalOptions } from '../src/command-line.ts';
import { commands } from '../src/commands/commands.ts';
import { type CommandDefinition, groups } from '../src/definition.ts';
import { exitCodes } from '../src/failure.ts';
import { tools } from '../src/pipeline/tools.ts';

const path = join(import.meta.dirname, '../../../docs/command.md');
const page = readFileSync(path, 'utf8');
const mark = /^<!-- What follows .*-->\n/m;

const cell = (text: string) => text.replaceAll('|', '\\|');

function optionTable(options: readonly (readonly [flags: string, description: string])[]): string {
  const rows = options.map(([flags, description]) => `| \`${flags}\` | ${cell(description)} |`);
  return ['| Option | What it does |', '| --- | --- |', ...rows].join('\n');
}

function sectionOf({ name, args, summary, more, options = [], examples }: CommandDefinition): string {
  const described = options.map(({ flags, description, choices }) => {
    const values = choices ? `: ${choices.map((choice) => `\`${choice}\``).join(', ')}` : '';
    return [flags, `${description}${values}`] as const;
  });
  const parts = [
    `### \`shiplog ${[name, args].filter(Boolean).join(' ')}\``,
    [summary, more].filter(Boolean).join(' '),
    described.length > 0 && optionTable(described),
    `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
  ];
  return parts.filter(Boolean).join('\n\n');
}

test('docs/command.md has every command with its options and examples from the definitions', async () => {
  const [written = '', ...rest] = page.split(mark);
  const [line = ''] = mark.exec(page) ?? [];
  expect(rest).toHaveLength(1);
  const sections = Object.entries(groups).flatMap(([group, heading]) => {
    const own = commands.filter((command) => command.group === group);
    return own.length === 0 ? [] : [`## ${heading}: the commands`, ...own.map(sectionOf)];
  });
  const shared = ['## Options of every command but the programs', optionTable(globalOptions)];
  const reference = [...shared, ...sections].join('\n\n');
  await expect(`${written}${line}\n${reference}\n`).toMatchFileSnapshot(path);
});

test('docs/command.md has every exit code, and every CI tool with its id prefix', () => {
  const codes = [...page.matchAll(/^\| (\d) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(exitCodes));
  const rows = [...page.matchAll(/^\| ([\w ]+) \| `(\w+)` \| `(\w+)-` \|/gm)].map(([, ...cells]) => cells);
  expect(rows).toEqual(tools.map(({ tool, mark: variable, prefix }) => [tool, variable, prefix]));
});
