import { runMain } from '@shiplog/server';
import { readConfig } from './config.ts';
import { startEmulator } from './emulator.ts';

await runMain(
  () => readConfig(process.env),
  (config, logger) => startEmulator({ config, logger }),
);
