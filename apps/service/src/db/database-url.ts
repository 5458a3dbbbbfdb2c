import { hostUrls } from '../domain/host-urls.ts';
import type { Connection } from './connection.ts';

export interface Way {
  /** One for each host; one of them is the primary. */
  readonly connections: readonly [Connection, ...Connection[]];
  /** A remark for the log about how the URL is understood. */
  readonly notice?: string;
}

/** How to connect to the database of a URL. */
export function wayOf(databaseUrl: string, variable = 'DATABASE_URL'): Way {
  const [first = databaseUrl, ...others] = hostUrls(databaseUrl);
  const { searchParams } = new URL(first);
  const mode = searchParams.get('sslmode') ?? '';
  const to = (url: string): Connection => ({ connectionString: url });
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || searchParams.get('uselibpqcompat') === 'true') {
    return { connections: [to(first), ...others.map(to)] };
  }
  // The driver treats them so anyway, with a warning of its own.
  const strict = (url: string) => to(url.replace(/([?&]sslmode=)[^&#]*/g, '$1verify-full'));
  return {
    connections: [strict(first), ...others.map(strict)],
    notice: `sslmode=${mode} in ${variable} is treated as verify-full: the database server's certificate and host name are verified`,
  };
}
