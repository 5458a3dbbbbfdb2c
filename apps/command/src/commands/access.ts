import type { CommandDefinition } from '../definition.ts';

const fileOption = { flags: '--file <file>', description: 'the access file (ACCESS_FILE of the service)' };

/** Commands about who may do what (access.md). They read the access file themselves; only `access acts` asks the service. */
export const accessCommands: readonly CommandDefinition[] = [
  {
    name: 'key new',
    group: 'access',
    summary: 'Create a named key. Prints the key once, on standard output, and its entry for the access file.',
    more: 'The access file stores only a digest, so the key cannot be shown again. With --file, the entry is added to the file; comments and order are kept.',
    options: [
      { flags: '--name <name>', description: 'who uses the key, 1 to 64 characters' },
      {
        flags: '--service <glob...>',
        description: 'may post for services that match; repeatable, with --environment',
        isRepeatable: true,
      },
      {
        flags: '--environment <glob...>',
        description: 'and in environments that match; repeatable',
        isRepeatable: true,
      },
      { flags: '--expires <time>', description: 'when the key expires: an age such as 90d, a date or a time' },
      { flags: '--read', description: 'may read where READERS is not open' },
      { flags: '--control', description: 'is accepted as SHIPLOG_CONTROL_API_KEY' },
      { flags: '--report <glob>', description: 'may report as components that match; repeatable', isRepeatable: true },
      {
        flags: '--state <glob>',
        description: 'may keep the state of adapters that match; repeatable',
        isRepeatable: true,
      },
      { flags: '--file <file>', description: 'add the entry to this access file' },
    ],
    examples: [
      "shiplog key new --name jenkins-payments --service 'pay-*' --environment staging prod --expires 90d",
      'shiplog key new --name wall --read --file access.yaml > /run/secrets/wall',
    ],
    run: async (given, context) => (await import('../access/new-key.ts')).createKey(given, context),
  },
  {
    name: 'access explain',
    group: 'access',
    summary: 'Explain what an access file says about the identity token of a CI job, given on standard input.',
    more: 'Works offline, without contacting the service. The signature is checked if the issuer has a jwks_file. The default audience is PUBLIC_URL, else SHIPLOG_AUDIENCE, else SHIPLOG_URL. Exits with 1 if no rule accepts the token.',
    options: [
      fileOption,
      { flags: '--service <name>', description: 'check whether it may post for this service' },
      { flags: '--environment <name>', description: 'and in this environment' },
      { flags: '--catalog <file>', description: 'the catalog (CATALOG_FILE of the service), for rules with own' },
    ],
    examples: [
      'printenv SHIPLOG_ID_TOKEN | shiplog access explain --file access.yaml --service pay-api --environment prod',
      'shiplog access explain --file access.yaml --json < token.txt',
    ],
    run: async (given, context) => (await import('../access/explain.ts')).explain(given, context),
  },
  {
    name: 'access acts',
    group: 'access',
    summary: 'List what changed about access and what was refused, latest first.',
    more: 'Needs SHIPLOG_CONTROL_API_KEY.',
    options: [
      { flags: '--kind <act>', description: 'only acts of this kind; repeatable', isRepeatable: true },
      { flags: '--limit <count>', description: 'maximum number of acts (default 50)' },
    ],
    examples: ['shiplog access acts', 'shiplog access acts --kind refused --kind pin-refused --json'],
    run: async (given, context) => (await import('../access/acts.ts')).showActs(given, context),
  },
];
