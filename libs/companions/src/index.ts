export * from './description.ts';
export * from './driver-endpoints.ts';
export * from './driver-shapes.ts';
export * from './driver-streams.ts';
export * from './mock.ts';
