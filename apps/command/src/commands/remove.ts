import type { CommandDefinition } from '../definition.ts';

export const removeCommand: CommandDefinition = {
  name: 'remove',
  group: 'data',
  summary: 'Remove an incorrect event and everything derived from it.',
  more: 'Needs SHIPLOG_CONTROL_API_KEY. The service records the event and the reason in its list of removals.',
  args: '<id>',
  options: [{ flags: '--reason <text>', description: 'why the event is incorrect (1 to 500 characters)' }],
  examples: ["shiplog remove 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55 --reason 'posted by a test run'"],
  run: async (given, context) => (await import('../log/remove.ts')).remove(given, context),
};
