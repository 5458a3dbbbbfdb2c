import { runMain, SettingsError } from '@shiplog/server';
import { checkCommand, testCommand } from './commands.ts';
import { type RelayConfig, readConfig } from './config.ts';
import { startRelay } from './relay.ts';

const [command, ...options] = process.argv.slice(2);
const isCheck = command === '--check' && options.length === 0;
const isTest = command === '--test' && options.length === 1;

if (command !== undefined && !isCheck && !isTest) {
  const given = [command, ...options].join(' ');
  process.stderr.write(
    `Unknown arguments: ${given}. Use --check, --test with the name of a target, or no arguments to run the relay.\n`,
  );
  process.exitCode = 2;
} else {
  const config = configOrNothing();
  if (!config) process.exitCode = 2;
  else if (command === undefined) {
    await runMain(
      () => config,
      (read, logger) => startRelay({ config: read, logger }),
    );
  } else process.exitCode = await once(config);
}

/** Prints errors in the settings and the file, and sets the exit code to 2 (relay §9.1). */
function configOrNothing(): RelayConfig | undefined {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

function once(config: RelayConfig): Promise<number> {
  const stopping = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => stopping.abort());
  const commandOptions = {
    config,
    signal: stopping.signal,
    write: (text: string) => void process.stdout.write(text),
    tell: (line: string) => void process.stderr.write(`${line}\n`),
  };
  return isCheck ? checkCommand(commandOptions) : testCommand(options[0] ?? '', commandOptions);
}
