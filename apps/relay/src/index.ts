export { readConfig } from './config.ts';
export { startRelay } from './relay.ts';
