export { findBinaries } from './binaries.ts';
export { StartupFault } from './fault.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';
