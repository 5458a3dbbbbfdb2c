import { runMain } from '@shiplog/server';
import { readConfig } from './config.ts';
import { startDriver } from './driver.ts';

await runMain(
  () => readConfig(process.env),
  (config, logger) => startDriver({ config, logger }),
);
