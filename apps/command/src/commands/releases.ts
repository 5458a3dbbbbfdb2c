import type { CommandDefinition } from '../definition.ts';
import { periodOptions, scopeOptions, servicesOption, teamOption } from './glob-options.ts';

export const whereCommand: CommandDefinition = {
  name: 'where',
  group: 'questions',
  summary: 'Where a service, a version or a commit runs.',
  more: 'The exact name of a service shows what it runs in each environment. Anything else is looked for among releases: a part of a version, or the beginning of a sha. The exit code is 1 where nothing is found.',
  args: '<service|version|sha>',
  options: [{ flags: '--limit <count>', description: 'so many releases at most (20)' }],
  examples: ['shiplog where payments-api', 'shiplog where 1.4.2', 'shiplog where 9f3c2ab --json'],
  run: async (given, context) => (await import('../questions/where.ts')).showWhere(given, context),
};

export const diffCommand: CommandDefinition = {
  name: 'diff',
  group: 'questions',
  summary: 'What differs between two environments, service by service.',
  args: '<from> <to>',
  options: [
    { flags: '--markdown', description: 'as a list for release notes' },
    { flags: '--at <time>', description: 'as it was then: an instant, a day, or so long ago: 30d, 12h' },
    { flags: '--all', description: 'services that run the same too' },
    servicesOption,
    teamOption,
  ],
  examples: ['shiplog diff staging prod', "shiplog diff staging prod --markdown --services 'pay-*'"],
  run: async (given, context) => (await import('../questions/diff.ts')).showDiff(given, context),
};

export const evidenceCommand: CommandDefinition = {
  name: 'evidence',
  group: 'questions',
  summary: 'The rows that a figure is made of, and those that it leaves out, with the reason.',
  args: '<figure>',
  options: [
    { flags: '--counted <which>', description: 'only what counts, or only what does not', choices: ['true', 'false'] },
    { flags: '--limit <count>', description: 'so many rows at most (100)' },
    ...periodOptions,
    ...scopeOptions,
  ],
  examples: [
    'shiplog evidence change_failure_rate --environments prod',
    'shiplog evidence lead_time --period 30d --counted false',
  ],
  run: async (given, context) => (await import('../questions/evidence.ts')).showEvidence(given, context),
};
