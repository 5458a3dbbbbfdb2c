export * from './glob.ts';
export * from './markdown.ts';
export * from './safe-text.ts';
