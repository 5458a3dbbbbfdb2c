export * from './client.ts';
export * from './streams.ts';
