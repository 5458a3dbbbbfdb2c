export type { DriverConfig } from './config.ts';
export { type Driver, type DriverOptions, type DriverTimes, startDriver } from './driver.ts';
