import type { CommandDefinition } from '../definition.ts';
import { periodOptions, scopeOptions, servicesOption, teamOption } from './glob-options.ts';

export const whereCommand: CommandDefinition = {
  name: 'where',
  group: 'questions',
  summary: 'Show where a service, a version or a commit runs.',
  more: 'An exact service name shows what it runs in each environment. Anything else is searched for among releases: part of a version or the start of a sha. Exits with 1 if nothing is found.',
  args: '<service|version|sha>',
  options: [{ flags: '--limit <count>', description: 'maximum number of releases (default 20)' }],
  examples: ['shiplog where payments-api', 'shiplog where 1.4.2', 'shiplog where 9f3c2ab --json'],
  run: async (given, context) => (await import('../questions/where.ts')).showWhere(given, context),
};

export const diffCommand: CommandDefinition = {
  name: 'diff',
  group: 'questions',
  summary: 'Show the differences between two environments, service by service.',
  args: '<from> <to>',
  options: [
    { flags: '--markdown', description: 'print a Markdown list for release notes' },
    { flags: '--at <time>', description: 'as it was at a time, a date or an age such as 30d' },
    { flags: '--all', description: 'include services without a difference' },
    servicesOption,
    teamOption,
  ],
  examples: ['shiplog diff staging prod', "shiplog diff staging prod --markdown --services 'pay-*'"],
  run: async (given, context) => (await import('../questions/diff.ts')).showDiff(given, context),
};

export const evidenceCommand: CommandDefinition = {
  name: 'evidence',
  group: 'questions',
  summary: 'List the rows behind a figure, and the rows it leaves out with the reason.',
  args: '<figure>',
  options: [
    {
      flags: '--counted <which>',
      description: 'only rows that count, or only rows that do not',
      choices: ['true', 'false'],
    },
    { flags: '--limit <count>', description: 'maximum number of rows (default 100)' },
    ...periodOptions,
    ...scopeOptions,
  ],
  examples: [
    'shiplog evidence change_failure_rate --environments prod',
    'shiplog evidence lead_time --period 30d --counted false',
  ],
  run: async (given, context) => (await import('../questions/evidence.ts')).showEvidence(given, context),
};
