export { type FetcherConfig, readConfig } from './config.ts';
export { type Fetcher, type FetcherOptions, startFetcher } from './fetcher.ts';
