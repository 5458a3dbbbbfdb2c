import type { CommandDefinition } from '../definition.ts';
import { servicesOption } from './glob-options.ts';

export const exportCommand: CommandDefinition = {
  name: 'export',
  group: 'data',
  summary: 'Print the log as NDJSON in the order of happened_at, all fields of each event.',
  options: [
    { flags: '--since <time>', description: 'from this instant on, or from a day, or from so long ago: 30d, 12h' },
    { flags: '--until <time>', description: 'what happened before this' },
    servicesOption,
  ],
  examples: ['shiplog export > events.ndjson', "shiplog export --since 30d --services 'pay-*' | gzip > pay.ndjson.gz"],
  run: async (given, context) => (await import('../transfer/export.ts')).exportLog(given, context),
};
