import { createLogger, runProgram, SettingsFault, StartFault } from '@shiplog/server';
import { readConfig, type ServiceConfig } from './config.ts';
import { startService } from './service.ts';

const config = configOrFault();
const logger = createLogger(config instanceof SettingsFault ? 'info' : config.logLevel);

await runProgram(async () => {
  if (config instanceof SettingsFault) throw new StartFault(config.message);
  return startService({ config, logger });
}, logger);

function configOrFault(): ServiceConfig | SettingsFault {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof SettingsFault) return error;
    throw error;
  }
}
