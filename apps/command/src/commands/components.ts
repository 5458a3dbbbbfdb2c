import type { CommandDefinition } from '../definition.ts';

export const componentsCommand: CommandDefinition = {
  name: 'components',
  group: 'questions',
  summary: 'Show the latest report of each component: fetcher, driver, relay and others.',
  examples: ['shiplog components', 'shiplog components --json'],
  run: async (given, context) => (await import('../questions/components.ts')).showComponents(given, context),
};
