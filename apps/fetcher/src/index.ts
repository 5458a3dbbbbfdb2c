export { type FetcherConfig, readConfig } from './config.ts';
export { type FetcherOptions, startFetcher } from './fetcher.ts';
