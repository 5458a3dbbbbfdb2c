export { readConfig } from './config.ts';
export { type Relay, startRelay } from './relay.ts';
