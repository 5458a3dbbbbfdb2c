export * from './glob.ts';
export * from './safe-text.ts';
