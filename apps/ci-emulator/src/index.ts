export { type EmulatorClock, VirtualClock } from './clock.ts';
export { type EmulatorConfig, readConfig } from './config.ts';
export { type Emulator, type EmulatorOptions, startEmulator } from './emulator.ts';
