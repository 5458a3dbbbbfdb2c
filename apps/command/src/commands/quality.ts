import type { CommandDefinition } from '../definition.ts';
import { scopeOptions } from './glob-options.ts';

export const qualityCommand: CommandDefinition = {
  name: 'quality',
  group: 'questions',
  summary: 'Whether the log can be trusted: who posts, and what is wrong with what was posted.',
  more: 'Findings come worst first, each with what to do about it; history that a new emitter took in is left out, except with --json.',
  options: [
    { flags: '--kind <kind>', description: 'only findings of this kind; repeatable', isRepeatable: true },
    ...scopeOptions,
  ],
  examples: ['shiplog quality', "shiplog quality --kind stuck --services 'pay-*'", 'shiplog quality --json'],
  run: async (given, context) => (await import('../questions/quality.ts')).showQuality(given, context),
};
