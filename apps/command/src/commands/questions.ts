import { statuses } from '@shiplog/contract/status';
import type { CommandDefinition, OptionDefinition } from '../definition.ts';

export const servicesOption: OptionDefinition = {
  flags: '--services <glob>',
  description: 'only services that match; repeatable',
  isRepeatable: true,
};
export const environmentsOption: OptionDefinition = {
  flags: '--environments <glob>',
  description: 'only environments that match; repeatable',
  isRepeatable: true,
};
const teamOption: OptionDefinition = {
  flags: '--team <name>',
  description: 'also the services of this team in the catalog; repeatable',
  isRepeatable: true,
};
const scopeOptions: readonly OptionDefinition[] = [servicesOption, environmentsOption, teamOption];
const rangeOptions: readonly OptionDefinition[] = [
  { flags: '--from <time>', description: 'start of the period: a time, a date or an age such as 30d (requires --to)' },
  { flags: '--to <time>', description: 'end of the period (exclusive)' },
];
const periodOptions: readonly OptionDefinition[] = [
  { flags: '--period <days>', description: 'number of days up to the last midnight UTC, 1d to 400d (default 7d)' },
  ...rangeOptions,
];

/** Commands that query the log (command.md 4). */
export const questionCommands: readonly CommandDefinition[] = [
  {
    name: 'board',
    group: 'questions',
    summary: 'Show what runs where: services by environments.',
    options: [
      ...scopeOptions,
      { flags: '--failed', description: 'only deployments that failed or are running after a failure' },
      { flags: '--at <time>', description: 'as it was at a time, a date or an age such as 30d' },
      { flags: '--wide', description: 'show whole cells and all columns, whatever the terminal width' },
      { flags: '--watch', description: 'refresh the output at each change' },
    ],
    examples: [
      'shiplog board',
      "shiplog board --services 'pay-*' --environments prod --watch",
      'shiplog board --failed --json',
      'shiplog board --team core',
    ],
    run: async (given, context) => (await import('../questions/board.ts')).showBoard(given, context),
  },
  {
    name: 'attention',
    group: 'questions',
    summary: 'List what needs attention: failed, stuck and slow deployments, and more.',
    more: 'Also lists events hidden by one dated in the future and, whatever the filters, silent reporters. Items of a kind are listed with production first. Exits with 1 if an item is in production, the last stage of the promotion order.',
    options: scopeOptions,
    examples: ['shiplog attention', 'shiplog attention --environments prod --team core', 'shiplog attention --json'],
    run: async (given, context) => (await import('../questions/attention.ts')).showAttention(given, context),
  },
  {
    name: 'where',
    group: 'questions',
    summary: 'Show where a service, a version or a commit runs.',
    more: 'For an exact service name, prints the version in each environment. Otherwise searches the releases for part of a version or the start of a sha. Exits with 1 if nothing is found.',
    args: '<service|version|sha>',
    options: [{ flags: '--limit <count>', description: 'maximum number of releases (default 20)' }],
    examples: ['shiplog where payments-api', 'shiplog where 1.4.2', 'shiplog where 9f3c2ab --json'],
    run: async (given, context) => (await import('../questions/where.ts')).showWhere(given, context),
  },
  {
    name: 'history',
    group: 'questions',
    summary: 'List the events of a service in an environment or stage, newest first.',
    more: 'stage:<name> stands for all environments of that stage of the promotion order.',
    args: '<service> <environment>',
    options: [
      { flags: '--limit <count>', description: 'maximum number of events (default 20)' },
      { flags: '--proof', description: 'also show who posted each event, and what contradicts it' },
    ],
    examples: [
      'shiplog history payments-api prod',
      'shiplog history payments-api stage:production',
      'shiplog history payments-api prod --limit 500 --json',
      'shiplog history payments-api prod --proof',
    ],
    run: async (given, context) => (await import('../questions/history.ts')).showHistory(given, context),
  },
  {
    name: 'changes',
    group: 'questions',
    summary: 'List the deployments in a period, newest first.',
    more: 'The default is the last 24 hours. A deployment is listed with the time when it ended, or when it started if it has not ended. Deployments dated in the future come first. In --environments, stage:<name> stands for the environments of that stage.',
    options: [
      ...rangeOptions,
      { flags: '--net', description: 'the release before and after the period, for each service and environment' },
      ...scopeOptions,
      {
        flags: '--state <state>',
        description: 'only deployments in this state; repeatable',
        choices: statuses,
        isRepeatable: true,
      },
    ],
    examples: [
      'shiplog changes --environments prod',
      'shiplog changes --from 2026-05-04T13:10:00Z --to 2026-05-04T14:10:00Z --net',
      'shiplog changes --from 2026-05-01 --to 2026-05-08 --team core --state failure --json',
    ],
    run: async (given, context) => (await import('../questions/changes.ts')).showChanges(given, context),
  },
  {
    name: 'tail',
    group: 'questions',
    summary: 'Follow the log until interrupted.',
    options: [
      { flags: '--service <name>', description: 'only events of this service' },
      { flags: '--since <time>', description: 'start with past events: a time, a date or an age such as 30d' },
      { flags: '--resume <id>', description: 'continue after this event' },
    ],
    examples: [
      'shiplog tail',
      'shiplog tail --service payments-api --since 1h',
      'shiplog tail --json --resume 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
    ],
    run: async (given, context) => (await import('../questions/tail.ts')).tail(given, context),
  },
  {
    name: 'diff',
    group: 'questions',
    summary: 'Show the differences between two environments or stages, service by service.',
    more: 'stage:<name> stands for a stage of the promotion order. If its environments run different releases, the oldest one is compared, and they are listed as mixed.',
    args: '<from> <to>',
    options: [
      { flags: '--markdown', description: 'print a Markdown list for release notes' },
      { flags: '--at <time>', description: 'as it was at a time, a date or an age such as 30d' },
      { flags: '--all', description: 'include services without a difference' },
      servicesOption,
      teamOption,
    ],
    examples: [
      'shiplog diff staging prod',
      'shiplog diff staging stage:production',
      "shiplog diff staging prod --markdown --services 'pay-*'",
    ],
    run: async (given, context) => (await import('../questions/diff.ts')).showDiff(given, context),
  },
  {
    name: 'dora',
    group: 'questions',
    summary: 'Show the four DORA metrics: deployment frequency, lead time, change failure rate and time to restore.',
    options: [
      ...periodOptions,
      { flags: '--compare', description: 'compare with the previous period of the same length' },
      ...scopeOptions,
    ],
    examples: [
      'shiplog dora',
      "shiplog dora --period 30d --services 'pay-*' --json",
      'shiplog dora --from 2026-04-01 --to 2026-07-01 --team core --environments prod --compare',
    ],
    run: async (given, context) => (await import('../questions/dora.ts')).showDora(given, context),
  },
  {
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
  },
  {
    name: 'quality',
    group: 'questions',
    summary: 'Show the data quality of the log: reporters and findings.',
    more: 'Findings are listed worst first, each with a remedy. Findings in history that a new reporter backfilled are shown only with --json.',
    options: [
      { flags: '--kind <kind>', description: 'only findings of this kind; repeatable', isRepeatable: true },
      ...scopeOptions,
    ],
    examples: ['shiplog quality', "shiplog quality --kind stuck --services 'pay-*'", 'shiplog quality --json'],
    run: async (given, context) => (await import('../questions/quality.ts')).showQuality(given, context),
  },
  {
    name: 'components',
    group: 'questions',
    summary: 'Show the latest report of each component: fetcher, driver, relay and others.',
    examples: ['shiplog components', 'shiplog components --json'],
    run: async (given, context) => (await import('../questions/components.ts')).showComponents(given, context),
  },
  {
    name: 'open',
    group: 'questions',
    summary: 'Open the board, or another view, in the browser.',
    more: 'Views: board, progress, changes, releases, reach, analytics and quality.',
    args: '[view]',
    examples: ['shiplog open', 'shiplog open analytics'],
    run: async (given, context) => (await import('../questions/open.ts')).openView(given, context),
  },
];
