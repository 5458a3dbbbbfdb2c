import type { CommandDefinition } from '../definition.ts';

export const backupCommand: CommandDefinition = {
  name: 'backup',
  group: 'data',
  summary: 'Copy the embedded database while the service runs.',
  more: 'The copy has every event that was stored before the call. Run it as the user of the service, with its DATA_DIR. To restore, start the service with DATA_DIR at the copy.',
  args: '<folder>',
  examples: ['DATA_DIR=/var/lib/shiplog/data shiplog backup /backup/shiplog-$(date +%F)'],
  run: async (given, context) => (await import('../transfer/backup.ts')).backup(given, context),
};
