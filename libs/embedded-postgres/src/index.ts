export { type BackupResult, backUp } from './backup.ts';
export { findBinaries } from './binaries.ts';
export { DatabaseStartError } from './errors.ts';
export { isRunning } from './process-table.ts';
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './start.ts';
