export * from './load.ts';
export * from './scenario.ts';
