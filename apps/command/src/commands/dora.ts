import type { CommandDefinition } from '../definition.ts';
import { periodOptions, scopeOptions } from './glob-options.ts';

export const doraCommand: CommandDefinition = {
  name: 'dora',
  group: 'questions',
  summary: 'The four keys: how often, how fast, how safely, how soon restored.',
  options: [
    ...periodOptions,
    { flags: '--compare', description: 'beside the equally long period before' },
    ...scopeOptions,
  ],
  examples: [
    'shiplog dora',
    "shiplog dora --period 30d --services 'pay-*' --json",
    'shiplog dora --from 2026-04-01 --to 2026-07-01 --team core --environments prod --compare',
  ],
  run: async (given, context) => (await import('../questions/dora.ts')).showDora(given, context),
};
