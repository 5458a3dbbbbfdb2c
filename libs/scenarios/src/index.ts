export * from './large/large-dataset.ts';
export * from './load.ts';
export * from './random.ts';
export * from './scenario.ts';
