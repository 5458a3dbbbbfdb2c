import { runMain } from '@shiplog/server';
import { readConfig } from './config.ts';
import { startMock } from './mock.ts';

await runMain(
  () => readConfig(process.env),
  (config, logger) => startMock({ config, logger }),
);
