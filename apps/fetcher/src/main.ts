import { runMain, SettingsError } from '@shiplog/server';
import { checkCommand } from './check/check-command.ts';
import { readConfig } from './config.ts';
import { startFetcher } from './fetcher.ts';

const [command, ...options] = process.argv.slice(2);
const known = command === undefined || (command === '--check' && options.every((option) => option === '--json'));

if (!known) {
  const given = [command, ...options].join(' ');
  process.stderr.write(`Unknown arguments: ${given}. Use --check, --check --json, or nothing to run the fetcher.\n`);
  process.exitCode = 2;
} else if (command === undefined) {
  await runMain(
    () => readConfig(process.env),
    (config, logger) => startFetcher({ config, logger }),
  );
} else {
  await check();
}

async function check(): Promise<void> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  try {
    const isWhole = await checkCommand({
      config: readConfig(process.env),
      asJson: options.length > 0,
      signal: stopping.signal,
      write: (text) => void process.stdout.write(text),
      tell: (line) => void process.stderr.write(`${line}\n`),
    });
    process.exitCode = isWhole ? 0 : 1;
  } catch (error) {
    if (!(error instanceof SettingsError) && !stopping.signal.aborted) throw error;
    process.stderr.write(error instanceof SettingsError ? `${error.message}\n` : 'stopped\n');
    process.exitCode = 1;
  }
}
