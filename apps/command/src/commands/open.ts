import type { CommandDefinition } from '../definition.ts';

export const openCommand: CommandDefinition = {
  name: 'open',
  group: 'questions',
  summary: 'Open the board, or another view, in the browser.',
  more: 'Views: board, pipelines, releases, compare, feed, analytics and quality.',
  args: '[view]',
  examples: ['shiplog open', 'shiplog open analytics'],
  run: async (given, context) => (await import('../questions/open.ts')).openView(given, context),
};
