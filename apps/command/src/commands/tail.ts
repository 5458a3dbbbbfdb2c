import type { CommandDefinition } from '../definition.ts';

export const tailCommand: CommandDefinition = {
  name: 'tail',
  group: 'questions',
  summary: 'Follow the log until interrupted.',
  options: [
    { flags: '--service <name>', description: 'only events of this service' },
    { flags: '--since <time>', description: 'start with past events: a time, a date or an age such as 30d' },
    { flags: '--resume <id>', description: 'continue after this event' },
  ],
  examples: [
    'shiplog tail',
    'shiplog tail --service payments-api --since 1h',
    'shiplog tail --json --resume 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  ],
  run: async (given, context) => (await import('../questions/tail.ts')).tail(given, context),
};
