import type { CommandDefinition } from '../definition.ts';
import { servicesOption } from './glob-options.ts';

export const exportCommand: CommandDefinition = {
  name: 'export',
  group: 'data',
  summary: 'Print the log as NDJSON, ordered by happened_at, with all fields of each event.',
  options: [
    { flags: '--since <time>', description: 'start: a time, a date or an age such as 30d' },
    { flags: '--until <time>', description: 'end (exclusive), in the same formats' },
    servicesOption,
  ],
  examples: ['shiplog export > events.ndjson', "shiplog export --since 30d --services 'pay-*' | gzip > pay.ndjson.gz"],
  run: async (given, context) => (await import('../transfer/export.ts')).exportLog(given, context),
};
