import type { CommandDefinition, OptionDefinition } from '../definition.ts';

const services: OptionDefinition = {
  flags: '--services <glob>',
  description: 'the services that match; repeatable',
  isRepeatable: true,
};
const environments: OptionDefinition = {
  flags: '--environments <glob>',
  description: 'in the environments that match; repeatable',
  isRepeatable: true,
};
const until: readonly OptionDefinition[] = [
  { flags: '--until <time>', description: 'end (exclusive): a time or a date' },
  { flags: '--for <duration>', description: 'or how long, such as 2h' },
];
const reason: OptionDefinition = { flags: '--reason <text>', description: 'why (1 to 500 characters)' };
const by: OptionDefinition = { flags: '--by <name>', description: 'your name, if the key does not identify you' };

/** Commands about freezes, locks and bad versions (holds.md). */
export const holdCommands: readonly CommandDefinition[] = [
  {
    name: 'hold',
    group: 'holds',
    summary: 'Freeze deployments, lock places, or mark a version as bad. Prints the id of the hold.',
    more: 'The kind is freeze, lock or bad. A hold never refuses an event: can-promote, the board and chat show it, and deployments that breach it are marked.',
    args: '<kind>',
    options: [
      services,
      environments,
      { flags: '--version <version>', description: 'the bad version or sha; only for bad' },
      { flags: '--from <time>', description: 'start: a time or a date (default: now)' },
      ...until,
      reason,
      { flags: '--link <url>', description: 'a page about it' },
      by,
    ],
    examples: [
      "shiplog hold freeze --services '*' --environments 'prod*' --from 2026-12-23 --until 2027-01-04T08:00:00Z --reason Christmas",
      "shiplog hold lock --services payments-api --environments staging --for 2h --reason 'load test' --by Ines",
      "shiplog hold bad --services payments-api --environments '*' --version 1.4.2 --reason 'loses orders'",
    ],
    run: async (given, context) => (await import('../holds/holds.ts')).makeHold(given, context),
  },
  {
    name: 'holds',
    group: 'holds',
    summary: 'List the holds that are in force.',
    options: [
      { flags: '--at <time>', description: 'at this time instead of now' },
      { flags: '--upcoming <duration>', description: 'also holds that begin within this time, such as 24h' },
      { ...services, description: 'only holds of services that match; repeatable' },
      { ...environments, description: 'only holds of environments that match; repeatable' },
    ],
    examples: ['shiplog holds --upcoming 24h', "shiplog holds --environments 'prod*' --json"],
    run: async (given, context) => (await import('../holds/holds.ts')).showHolds(given, context),
  },
  {
    name: 'release',
    group: 'holds',
    summary: 'End a hold.',
    args: '<id>',
    options: [reason, by],
    examples: ['shiplog release 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55 --reason done'],
    run: async (given, context) => (await import('../holds/holds.ts')).releaseHold(given, context),
  },
  {
    name: 'except',
    group: 'holds',
    summary: 'Add exceptions to a hold.',
    args: '<id>',
    options: [services, ...until, reason, by],
    examples: ['shiplog except 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55 --services payments-api --for 1h --reason hotfix'],
    run: async (given, context) => (await import('../holds/holds.ts')).exceptHold(given, context),
  },
];
