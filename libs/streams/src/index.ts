export * from './cursor.ts';
export * from './follow.ts';
export * from './frame.ts';
export * from './hub.ts';
export * from './log.ts';
export * from './reply.ts';
export * from './sink.ts';
