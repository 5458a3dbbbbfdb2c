import type { CommandDefinition, OptionDefinition } from '../definition.ts';
import { environmentsOption, servicesOption } from './questions.ts';

const source: OptionDefinition = { flags: '--source <source>', description: 'who reports it (default: shiplog)' };
const at: OptionDefinition = { flags: '--at <time>', description: 'when it happened: a time or an age (default: now)' };
const places: readonly OptionDefinition[] = [
  { flags: '--services <name>', description: 'an affected service; repeatable', isRepeatable: true },
  { flags: '--environments <name>', description: 'an affected environment; repeatable', isRepeatable: true },
];

/** Commands about outages (outages.md 4, 7.21). */
export const outageCommands: readonly CommandDefinition[] = [
  {
    name: 'outage open',
    group: 'outages',
    summary: 'Report that something broke.',
    more: 'The id is the one that the outage has at its source. The last deployments of the affected services in the four hours before the outage are suspected of causing it.',
    args: '<id>',
    options: [
      source,
      ...places,
      { flags: '--severity <text>', description: 'how bad it is, such as high' },
      { flags: '--title <text>', description: 'what broke' },
      { flags: '--link <url>', description: 'a page about it' },
      at,
    ],
    examples: ["shiplog outage open INC-7 --services payments-api --environments prod --title 'Payments fail'"],
    run: async (given, context) => (await import('../outages/outages.ts')).openOutage(given, context),
  },
  {
    name: 'outage resolve',
    group: 'outages',
    summary: 'Report that an outage is over.',
    args: '<id>',
    options: [source, at],
    examples: ['shiplog outage resolve INC-7 --at 10m'],
    run: async (given, context) => (await import('../outages/outages.ts')).endOutage('resolved', given, context),
  },
  {
    name: 'outage dismiss',
    group: 'outages',
    summary: 'Report that something was not an outage, such as a false alarm.',
    args: '<id>',
    options: [source, at],
    examples: ['shiplog outage dismiss INC-7'],
    run: async (given, context) => (await import('../outages/outages.ts')).endOutage('dismissed', given, context),
  },
  {
    name: 'outage blame',
    group: 'outages',
    summary: 'Name the deployment or the release that caused an outage.',
    args: '<id>',
    options: [
      source,
      { flags: '--deployment <id>', description: 'the deployment' },
      { flags: '--service <name>', description: 'the service of the release' },
      { flags: '--version <version>', description: 'the version or sha of the release' },
      { flags: '--not-by-deployment', description: 'no deployment caused it' },
    ],
    examples: [
      'shiplog outage blame INC-7 --deployment gha-7421',
      'shiplog outage blame INC-7 --source pagerduty --service payments-api --version 1.4.2',
    ],
    run: async (given, context) => (await import('../outages/outages.ts')).blame(given, context),
  },
  {
    name: 'outages',
    group: 'outages',
    summary: 'List outages with the deployments that caused them, or may have.',
    options: [{ flags: '--open', description: 'only outages that are open' }, servicesOption, environmentsOption],
    examples: ['shiplog outages --open', "shiplog outages --services 'payments-*' --json"],
    run: async (given, context) => (await import('../outages/outages.ts')).showOutages(given, context),
  },
];
