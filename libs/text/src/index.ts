export * from './glob.ts';
