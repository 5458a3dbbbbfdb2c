import type { CommandDefinition } from '../definition.ts';
import { periodOptions, scopeOptions } from './glob-options.ts';

export const doraCommand: CommandDefinition = {
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
};
