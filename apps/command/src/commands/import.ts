import type { CommandDefinition } from '../definition.ts';

export const importCommand: CommandDefinition = {
  name: 'import',
  group: 'data',
  summary: 'Post the events of files, none that the log has already; one that was interrupted goes on where it was.',
  args: '<file...>',
  options: [
    { flags: '--check', description: 'judge the rows and post nothing' },
    { flags: '--rate <rows>', description: 'post at most so many rows a second' },
    {
      flags: '--map <field=column>',
      description: 'the column that a field comes from; repeatable',
      isRepeatable: true,
    },
    { flags: '--set <field=value>', description: 'the same value for every row; repeatable', isRepeatable: true },
  ],
  examples: [
    'shiplog import events.ndjson.gz',
    'shiplog import --check --map service=app --set environment=prod releases.csv',
    'shiplog export --url https://old.example.com | shiplog import --url https://shiplog.example.com -',
  ],
  run: async (given, context) => (await import('../transfer/import.ts')).importFiles(given, context),
};
