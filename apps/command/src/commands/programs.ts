import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CommandDefinition } from '../definition.ts';
import { endWithParent } from '../parent.ts';

/** Each program by the name of its command: its folder in `apps`, and what it is. */
const programs = {
  serve: ['service', 'Run the service; without DATABASE_URL with its own PostgreSQL in DATA_DIR.'],
  demo: ['demo', 'Run everything with example data, and end with a live board.'],
  mock: ['mock', 'Run the application API in memory, for development.'],
  driver: ['demo-driver', 'Run the driver, which posts scenarios.'],
  fetcher: ['fetcher', 'Run the fetcher, which asks CI/CD tools for deployments and takes their webhooks.'],
  'ci-emulator': ['ci-emulator', 'Run an emulator of the parts of GitHub and GitLab that the fetcher uses.'],
  relay: ['relay', 'Run the relay, which passes news on to chat, mail and other targets.'],
} as const;

type ProgramName = keyof typeof programs;

/** The built main file of a program. The path is the same from `src`, from `dist` and in the package. */
export function mainOf(name: ProgramName): string {
  return fileURLToPath(new URL(`../../../${programs[name][0]}/dist/main.js`, import.meta.url));
}

const examples: Readonly<Partial<Record<ProgramName, readonly string[]>>> = {
  serve: ['shiplog serve', 'PORT=8000 DATA_DIR=/var/lib/shiplog/data shiplog serve'],
  fetcher: ['GITHUB_REPOS=acme/* GITHUB_TOKEN_FILE=/run/token shiplog fetcher', 'shiplog fetcher --check'],
  relay: [
    'RELAY_CONFIG=relay.yaml shiplog relay',
    'RELAY_CONFIG=relay.yaml shiplog relay --check',
    'RELAY_CONFIG=relay.yaml shiplog relay --test ops',
  ],
};

/** What those that have options of their own take; of the others every option is a mistake, which must not start them. */
const ownOptions: Readonly<Partial<Record<ProgramName, string>>> = {
  fetcher: '--check shows what it would post, and posts nothing; with --json for programs.',
  relay:
    '--check shows what the last events would have sent, and sends nothing; --test TARGET sends one marked message.',
};

/** They are this process: signals, exit code and settings are the program's own. */
export const programCommands: readonly CommandDefinition[] = (Object.keys(programs) as ProgramName[]).map((name) => ({
  name,
  group: 'programs',
  summary: programs[name][1],
  examples: examples[name] ?? [`shiplog ${name}`],
  more: [
    ownOptions[name],
    'It takes its settings from environment variables: docs/settings.md in the package lists them.',
  ]
    .filter(Boolean)
    .join(' '),
  passesThrough: true,
  ...(ownOptions[name] && { args: '[options...]' }),
  run: async ({ args, rest }, { env }) => {
    const main = mainOf(name);
    process.argv.splice(1, process.argv.length, main, ...args, ...rest);
    // What npm sets when it runs a command of a package, as npx does.
    if (env.npm_command === 'exec') endWithParent();
    await import(pathToFileURL(main).href);
    return Number(process.exitCode ?? 0);
  },
}));
