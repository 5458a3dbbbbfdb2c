export type { ServiceConfig } from './config.ts';
export { type Service, type ServiceOptions, startService } from './service.ts';
export type { ServiceTimes } from './times.ts';
