import type { CommandDefinition } from '../definition.ts';

export const importCommand: CommandDefinition = {
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
};
