import type { CommandDefinition } from '../definition.ts';
import { scopeOptions } from './glob-options.ts';

export const boardCommand: CommandDefinition = {
  name: 'board',
  group: 'questions',
  summary: 'What runs where: services by environments.',
  options: [
    ...scopeOptions,
    { flags: '--failed', description: 'only what failed, or runs after a failure' },
    { flags: '--at <time>', description: 'as it was then: an instant, a day, or so long ago: 30d, 12h' },
    { flags: '--wide', description: 'whole cells and all columns, however wide the terminal is' },
    { flags: '--watch', description: 'show it again at each change' },
  ],
  examples: [
    'shiplog board',
    "shiplog board --services 'pay-*' --environments prod --watch",
    'shiplog board --failed --json',
    'shiplog board --team core',
  ],
  run: async (given, context) => (await import('../questions/board.ts')).showBoard(given, context),
};
