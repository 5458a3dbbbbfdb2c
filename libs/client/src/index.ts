export * from './client.ts';
export * from './clock.ts';
export * from './log-poster.ts';
export * from './reporter.ts';
export * from './streams.ts';
