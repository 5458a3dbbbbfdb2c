import { SettingsError, StartError } from '@shiplog/server';
import { readConfig } from './config.ts';
import { runDemo } from './demo.ts';
import { demoPrograms } from './programs.ts';
import { screenOn } from './screen.ts';
import { giveTour } from './tour.ts';

/** What a program needs of its surroundings; a key or an address that happens to be set here is none of the demo's. */
const { PATH = '', HOME = '', TMPDIR } = process.env;
const environment = { PATH, HOME, ...(TMPDIR ? { TMPDIR } : {}) };

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => ending.abort());
// A terminal that is closed, or a pipe that nobody reads any more: the programs are ended all the same.
process.stdout.on('error', () => ending.abort());

try {
  const screen = screenOn(process.stdout);
  const programs = demoPrograms(readConfig(process.env));
  screen.line('Starting the demo of Shiplog.');
  await runDemo(
    {
      programs,
      environment,
      screen,
      show: (urls, folder, signal) => giveTour({ urls, folder, screen }, signal),
    },
    ending.signal,
  );
} catch (error) {
  const told = error instanceof StartError || error instanceof SettingsError;
  process.stderr.write(`\n${told ? error.message : `The demo failed: ${(error as Error).stack}`}\n`);
  process.exitCode = 1;
}
