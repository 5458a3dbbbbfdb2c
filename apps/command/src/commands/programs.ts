import { fileURLToPath, pathToFileURL } from 'node:url';
import type { CommandDefinition } from '../definition.ts';

/** The folder in `apps` and the summary of each program, by command name. */
const programs = {
  serve: ['service', 'Run the service. Without DATABASE_URL, it starts its own PostgreSQL in DATA_DIR.'],
  demo: ['demo', 'Run everything with example data and open a live board.'],
  mock: ['mock', 'Run an in-memory mock of the application API, for development.'],
  driver: ['demo-driver', 'Run the demo driver, which posts scenarios.'],
  fetcher: ['fetcher', 'Run the fetcher, which collects deployments from CI/CD tools by polling and webhooks.'],
  'ci-emulator': ['ci-emulator', 'Run an emulator of the GitHub and GitLab APIs that the fetcher uses.'],
  relay: ['relay', 'Run the relay, which sends deployment notifications to chat, mail and other targets.'],
} as const;

type ProgramName = keyof typeof programs;

/** The built main file of a program. Its relative path is the same from `src`, from `dist` and in the package. */
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

/** Programs that accept options. For any other program, an option is an error. */
const ownOptions: Readonly<Partial<Record<ProgramName, string>>> = {
  fetcher: '--check prints what it would post without posting anything; add --json for machine-readable output.',
  relay:
    '--check prints what it would have sent for the latest events without sending anything; --test TARGET sends one message marked as a test.',
};

/** A program runs in this process and handles signals, exit code and settings itself. */
export const programCommands: readonly CommandDefinition[] = (Object.keys(programs) as ProgramName[]).map((name) => ({
  name,
  group: 'programs',
  summary: programs[name][1],
  examples: examples[name] ?? [`shiplog ${name}`],
  more: [ownOptions[name], 'Environment variables: docs/settings.md in the package.'].filter(Boolean).join(' '),
  passesThrough: true,
  ...(ownOptions[name] && { args: '[options...]' }),
  run: async ({ args, rest }, { env }) => {
    const main = mainOf(name);
    process.argv.splice(1, process.argv.length, main, ...args, ...rest);
    // npm sets this variable when it runs a package's command, as npx does.
    if (env.npm_command === 'exec') endWithParent();
    await import(pathToFileURL(main).href);
    return Number(process.exitCode ?? 0);
  },
}));

const pollMs = 500;

/**
 * Sends SIGTERM to this process when its parent is gone. A signal to npx ends the shell between npx and a program but
 * not the program, which would keep running. Only polling the parent detects that.
 */
function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, pollMs).unref();
}
