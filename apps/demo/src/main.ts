import { SettingsError, StartError } from '@shiplog/server';
import { readConfig } from './config.ts';
import { runDemo } from './demo.ts';
import { newHookSecrets } from './hook-secrets.ts';
import { demoPrograms } from './programs.ts';
import { screenOn } from './screen.ts';
import { giveTour } from './tour.ts';

/**
 * Passes on only the variables that a program needs to run, because keys and addresses in this environment are not
 * meant for the demo.
 */
const { PATH = '', HOME = '', TMPDIR } = process.env;
const environment = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}) };

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
// If the terminal or the reader of a pipe disconnects, the programs are stopped too.
process.stdout.on('error', () => ending.abort());

try {
  const screen = screenOn(process.stdout);
  const secrets = newHookSecrets();
  const config = readConfig(process.env);
  const programs = demoPrograms(config, secrets);
  screen.line('Starting the Shiplog demo.');
  await runDemo(
    {
      programs,
      environment,
      screen,
      show: (urls, folder, signal) => giveTour({ urls, folder, screen, secrets, dataset: config.dataset }, signal),
    },
    ending.signal,
  );
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof SettingsError;
  process.stderr.write(`\n${isExpected ? error.message : `The demo failed: ${(error as Error).stack}`}\n`);
  process.exitCode = 1;
}
