export * from './client.ts';
export * from './reporter.ts';
export * from './streams.ts';
