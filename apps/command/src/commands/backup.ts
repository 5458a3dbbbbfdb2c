import type { CommandDefinition } from '../definition.ts';

export const backupCommand: CommandDefinition = {
  name: 'backup',
  group: 'data',
  summary: 'Copy the embedded database while the service runs.',
  more: 'The copy contains every event stored before the call. Run it as the service user, with the DATA_DIR of the service. To restore, start the service with DATA_DIR set to the copy.',
  args: '<folder>',
  examples: ['DATA_DIR=/var/lib/shiplog/data shiplog backup /backup/shiplog-$(date +%F)'],
  run: async (given, context) => (await import('../transfer/backup.ts')).backup(given, context),
};
