export * from './database.ts';
export * from './events.ts';
export * from './process.ts';
export * from './secrets.ts';
export * from './service.ts';
export * from './settings.ts';
export * from './stream-reader.ts';
export * from './watchers.ts';
