import type { CommandDefinition } from '../definition.ts';

export const historyCommand: CommandDefinition = {
  name: 'history',
  group: 'questions',
  summary: 'List the events of a service in an environment, newest first.',
  args: '<service> <environment>',
  options: [{ flags: '--limit <count>', description: 'maximum number of events (default 20)' }],
  examples: ['shiplog history payments-api prod', 'shiplog history payments-api prod --limit 500 --json'],
  run: async (given, context) => (await import('../questions/history.ts')).showHistory(given, context),
};
