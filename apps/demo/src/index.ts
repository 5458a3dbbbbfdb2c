export * from './child.ts';
export * from './config.ts';
export * from './demo.ts';
export * from './programs.ts';
export * from './screen.ts';
