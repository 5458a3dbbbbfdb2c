import type { CommandDefinition } from '../definition.ts';
import { environmentsOption, servicesOption } from './glob-options.ts';

export const doraCommand: CommandDefinition = {
  name: 'dora',
  group: 'questions',
  summary: 'The four keys: how often, how fast, how safely, how soon restored.',
  options: [
    {
      flags: '--period <days>',
      description: 'the days up to the last midnight in UTC (7d)',
      choices: ['7d', '14d', '30d'],
    },
    servicesOption,
    environmentsOption,
  ],
  examples: ['shiplog dora', "shiplog dora --period 30d --services 'pay-*' --json"],
  run: async (given, context) => (await import('../questions/dora.ts')).showDora(given, context),
};
