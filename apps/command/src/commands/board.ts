import type { CommandDefinition } from '../definition.ts';
import { scopeOptions } from './glob-options.ts';

export const boardCommand: CommandDefinition = {
  name: 'board',
  group: 'questions',
  summary: 'Show what runs where: services by environments.',
  options: [
    ...scopeOptions,
    { flags: '--failed', description: 'only what failed, or is running after a failure' },
    { flags: '--at <time>', description: 'as it was at a time, a date or an age such as 30d' },
    { flags: '--wide', description: 'show whole cells and all columns, whatever the terminal width' },
    { flags: '--watch', description: 'refresh the output at each change' },
  ],
  examples: [
    'shiplog board',
    "shiplog board --services 'pay-*' --environments prod --watch",
    'shiplog board --failed --json',
    'shiplog board --team core',
  ],
  run: async (given, context) => (await import('../questions/board.ts')).showBoard(given, context),
};
