import type { CommandDefinition } from '../definition.ts';
import { servicesOption } from './questions.ts';

/** Commands that move events in and out of the log (command.md 5). */
export const dataCommands: readonly CommandDefinition[] = [
  {
    name: 'import',
    group: 'data',
    summary: 'Import events from files, skipping those already in the log. An interrupted import resumes.',
    args: '<file...>',
    options: [
      { flags: '--check', description: 'validate the rows without posting anything' },
      { flags: '--rate <rows>', description: 'maximum number of rows to post per second' },
      {
        flags: '--map <field=column>',
        description: 'read a field from another column; repeatable',
        isRepeatable: true,
      },
      {
        flags: '--set <field=value>',
        description: 'set a field to the same value in every row; repeatable',
        isRepeatable: true,
      },
    ],
    examples: [
      'shiplog import events.ndjson.gz',
      'shiplog import --check --map service=app --set environment=prod releases.csv',
      'shiplog export --url https://old.example.com | shiplog import --url https://shiplog.example.com -',
    ],
    run: async (given, context) => (await import('../transfer/import.ts')).importFiles(given, context),
  },
  {
    name: 'export',
    group: 'data',
    summary: 'Print the log as NDJSON, ordered by happened_at, with all fields of each event.',
    options: [
      { flags: '--since <time>', description: 'start: a time, a date or an age such as 30d' },
      { flags: '--until <time>', description: 'end (exclusive), in the same formats' },
      servicesOption,
    ],
    examples: [
      'shiplog export > events.ndjson',
      "shiplog export --since 30d --services 'pay-*' | gzip > pay.ndjson.gz",
    ],
    run: async (given, context) => (await import('../transfer/export.ts')).exportLog(given, context),
  },
  {
    name: 'remove',
    group: 'data',
    summary: 'Remove an incorrect event and everything derived from it.',
    more: 'Needs SHIPLOG_CONTROL_API_KEY. The service records the event and the reason in its list of removals.',
    args: '<id>',
    options: [{ flags: '--reason <text>', description: 'why the event is incorrect (1 to 500 characters)' }],
    examples: ["shiplog remove 019c5d1e-3f9a-7000-9b1d-7f0f3a1c2e55 --reason 'posted by a test run'"],
    run: async (given, context) => (await import('../transfer/remove.ts')).remove(given, context),
  },
  {
    name: 'backup',
    group: 'data',
    summary: 'Copy the embedded database while the service runs.',
    more: 'The copy contains every event stored before the call. Run it as the service user, with the DATA_DIR of the service. To restore, start the service with DATA_DIR set to the copy.',
    args: '<folder>',
    examples: ['DATA_DIR=/var/lib/shiplog/data shiplog backup /backup/shiplog-$(date +%F)'],
    run: async (given, context) => (await import('../transfer/backup.ts')).backup(given, context),
  },
];
