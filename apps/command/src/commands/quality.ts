import type { CommandDefinition } from '../definition.ts';
import { scopeOptions } from './glob-options.ts';

export const qualityCommand: CommandDefinition = {
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
};
