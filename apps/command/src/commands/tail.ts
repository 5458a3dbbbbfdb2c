import type { CommandDefinition } from '../definition.ts';

export const tailCommand: CommandDefinition = {
  name: 'tail',
  group: 'questions',
  summary: 'The log as it grows, until it is stopped.',
  options: [
    { flags: '--service <name>', description: 'only events of this service' },
    { flags: '--since <time>', description: 'first what happened since: an instant, a day, or so long ago: 30d, 12h' },
    { flags: '--resume <id>', description: 'go on behind this event' },
  ],
  examples: [
    'shiplog tail',
    'shiplog tail --service payments-api --since 1h',
    'shiplog tail --json --resume 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55',
  ],
  run: async (given, context) => (await import('../questions/tail.ts')).tail(given, context),
};
