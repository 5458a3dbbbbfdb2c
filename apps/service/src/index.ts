export type { ServiceConfig } from './config.ts';
export { type Service, type ServiceOptions, type ServiceTimes, startService } from './service.ts';
