export type { MockConfig } from './config.ts';
export { type Mock, type MockOptions, startMock } from './mock.ts';
