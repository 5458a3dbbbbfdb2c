import { readConfig, startFetcher } from '@shiplog/fetcher';
import { createLogger } from '@shiplog/server';
import { type Haste, hurriedClock } from './hurried-clock.ts';

/** The options of the process, as JSON in its only argument. */
export interface FetcherTask {
  /** The settings of the fetcher, as environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly haste: Haste;
}

const { settings, haste } = JSON.parse(process.argv[2] ?? '') as FetcherTask;
const fetcher = await startFetcher({
  config: readConfig(settings),
  logger: createLogger('warn'),
  clock: hurriedClock(haste),
});
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => void fetcher.stop().then(() => process.exit()));
process.send?.(fetcher.url);
