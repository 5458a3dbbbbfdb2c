export * from './age.ts';
export * from './glob.ts';
export * from './markdown.ts';
export * from './pluralize.ts';
export * from './release.ts';
export * from './safe-text.ts';
