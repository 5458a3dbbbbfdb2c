import type { CommandDefinition } from '../definition.ts';
import { deliveryOptions, eventOptions, statusOption } from '../pipeline/event-options.ts';

const release = [
  { flags: '--service <name>', description: 'the service' },
  { flags: '--version <version>', description: 'the release by its version' },
] as const;

/** Commands for pipelines (command.md 3). */
export const pipelineCommands: readonly CommandDefinition[] = [
  {
    name: 'post',
    group: 'pipeline',
    summary: 'Post a deployment event. Safe to retry: no duplicates.',
    more: 'Fields that neither an option nor the file sets are filled in from the CI environment and listed on standard error.',
    options: [
      ...eventOptions,
      statusOption,
      {
        flags: '--happened-at <instant>',
        description: 'when it happened, with Z or a UTC offset (default: now)',
      },
      { flags: '--file <file>', description: 'read an event as JSON from a file; - for standard input' },
      { flags: '--batch', description: 'read events from standard input, one JSON object per line' },
      { flags: '--dry-run', description: 'print the event without sending it' },
      ...deliveryOptions,
      { flags: '--best-effort', description: 'exit with 0 and a warning if the service is unavailable' },
    ],
    examples: [
      'shiplog post --service payments-api --environment prod --status success --version 1.4.2',
      'shiplog post --file event.json --best-effort',
      'shiplog post --batch --spool /var/spool/shiplog < events.ndjson',
    ],
    run: async (given, context) => (await import('../pipeline/post.ts')).post(given, context),
  },
  {
    name: 'run',
    group: 'pipeline',
    summary: 'Run a deploy command, posting its start and its outcome, and exit with its exit code.',
    more: 'Problems with Shiplog never change the exit code and delay the command by at most two seconds.',
    options: [
      ...eventOptions,
      ...deliveryOptions,
      {
        flags: '--respect-holds',
        description: 'do not start the command, and exit with 1, if a freeze, a lock or a bad version holds it back',
      },
    ],
    args: '[command...]',
    examples: ['shiplog run --service payments-api --environment prod --version 1.4.2 -- ./deploy.sh --now'],
    run: async (given, context) => (await import('../pipeline/run.ts')).run(given, context),
  },
  {
    name: 'wait',
    group: 'pipeline',
    summary: 'Wait until a release is deployed, or until nothing holds a place. Exits with 1 if not.',
    options: [
      ...release,
      { flags: '--sha <sha>', description: 'the release by its commit' },
      { flags: '--environment <name>', description: 'the environment to wait for, or stage:<name> for all of a stage' },
      {
        flags: '--until-free',
        description: 'wait until no freeze and no lock holds the environment, and the release is not marked bad',
      },
      { flags: '--timeout <duration>', description: 'how long to wait (default 30m)' },
    ],
    examples: [
      'shiplog wait --service payments-api --environment staging --version 1.4.2 --timeout 20m',
      'shiplog wait --service payments-api --environment stage:production --version 1.4.2',
      'shiplog wait --until-free --service payments-api --environment prod --timeout 2h',
    ],
    run: async (given, context) => (await import('../pipeline/wait.ts')).wait(given, context),
  },
  {
    name: 'can-promote',
    group: 'pipeline',
    summary: 'Check in the log whether a release may be promoted. Exits with 1 if not.',
    options: [
      ...release,
      { flags: '--current', description: 'use the release that runs in --from instead of --version' },
      {
        flags: '--from <environment>',
        description: 'the environment or stage:<name> it is in (default: the stage before that of --to)',
      },
      { flags: '--to <environment>', description: 'the environment or stage:<name> to promote to' },
      { flags: '--soak <duration>', description: 'how long it must have run in --from' },
      {
        flags: '--no-open-failures',
        description: 'refuse if the latest completed deployment in an environment of --from or --to failed',
      },
      { flags: '--at <time>', description: 'check freezes, locks and bad versions at this time instead of now' },
      { flags: '--ignore-holds', description: 'print freezes, locks and bad versions on standard error only' },
    ],
    examples: [
      'shiplog can-promote --service payments-api --version 1.4.2 --from staging --to prod --soak 2h --no-open-failures',
      'shiplog can-promote --service payments-api --version 1.4.2 --to stage:production',
    ],
    run: async (given, context) => (await import('../pipeline/can-promote.ts')).canPromote(given, context),
  },
];
