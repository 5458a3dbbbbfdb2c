export type { DriverConfig } from './config.ts';
export { type DriverOptions, type DriverTimes, startDriver } from './driver.ts';
