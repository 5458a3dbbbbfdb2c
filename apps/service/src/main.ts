import { runMain } from '@shiplog/server';
import { readConfig } from './config.ts';
import { startService } from './service.ts';

await runMain(
  () => readConfig(process.env),
  (config, logger, signal) => startService({ config, logger, signal }),
);
