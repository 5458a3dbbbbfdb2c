import type { CommandDefinition } from '../definition.ts';
import { deliveryOptions, eventOptions, statusOption } from '../pipeline/event-options.ts';

const release = [
  { flags: '--service <name>', description: 'the service' },
  { flags: '--version <version>', description: 'the release by its version' },
] as const;

/** What pipelines call (command.md 3). */
export const pipelineCommands: readonly CommandDefinition[] = [
  {
    name: 'post',
    group: 'pipeline',
    summary: 'Post an event of a deployment; a repeated step doubles nothing.',
    more: 'What the pipeline knows is filled in where an option or the file says nothing, and told on standard error.',
    options: [
      ...eventOptions,
      statusOption,
      {
        flags: '--happened-at <instant>',
        description: 'when it happened, with Z or an offset (the instant of the call)',
      },
      { flags: '--file <file>', description: 'an event as JSON; - reads standard input' },
      { flags: '--batch', description: 'read events from standard input, one JSON object a line' },
      { flags: '--dry-run', description: 'print what would be posted, and send nothing' },
      ...deliveryOptions,
      { flags: '--best-effort', description: 'end with 0 and a warning where the service is away' },
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
    summary: 'Run a command between the events of its beginning and its end, and end with its code.',
    more: 'Nothing that goes wrong with the log changes the code, and the command starts at most two seconds late.',
    options: [...eventOptions, ...deliveryOptions],
    args: '[command...]',
    examples: ['shiplog run --service payments-api --environment prod --version 1.4.2 -- ./deploy.sh --now'],
    run: async (given, context) => (await import('../pipeline/run.ts')).run(given, context),
  },
  {
    name: 'wait',
    group: 'pipeline',
    summary: 'Wait until a release is deployed; ends with 1 when it failed or the time is over.',
    options: [
      ...release,
      { flags: '--sha <sha>', description: 'the release by its commit' },
      { flags: '--environment <name>', description: 'where it is to be' },
      { flags: '--timeout <duration>', description: 'how long to wait (30m)' },
    ],
    examples: ['shiplog wait --service payments-api --environment staging --version 1.4.2 --timeout 20m'],
    run: async (given, context) => (await import('../pipeline/wait.ts')).wait(given, context),
  },
  {
    name: 'can-promote',
    group: 'pipeline',
    summary: 'Say whether a release may go from one environment to the next, by the log alone; ends with 1 for no.',
    options: [
      ...release,
      { flags: '--current', description: 'the release that runs in --from, in place of --version' },
      { flags: '--from <environment>', description: 'where it is' },
      { flags: '--to <environment>', description: 'where it is to go' },
      { flags: '--soak <duration>', description: 'how long it must have been there' },
      { flags: '--no-open-failures', description: 'refuse where the last end in either environment is a failure' },
    ],
    examples: [
      'shiplog can-promote --service payments-api --version 1.4.2 --from staging --to prod --soak 2h --no-open-failures',
    ],
    run: async (given, context) => (await import('../pipeline/can-promote.ts')).canPromote(given, context),
  },
];
