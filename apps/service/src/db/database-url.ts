import { hostUrls } from '../domain/host-urls.ts';
import type { Connection } from './connection.ts';

export interface DatabaseAddress {
  /** One URL per host. One of the hosts is the primary. */
  readonly connections: readonly [Connection, ...Connection[]];
  /** A message for the service's log about how the URL is interpreted. */
  readonly notice?: string;
}

export function databaseAddress(databaseUrl: string, variable = 'DATABASE_URL'): DatabaseAddress {
  const [first = databaseUrl, ...others] = hostUrls(databaseUrl);
  const { searchParams } = new URL(first);
  const mode = searchParams.get('sslmode') ?? '';
  const to = (url: string): Connection => ({ connectionString: url });
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || searchParams.get('uselibpqcompat') === 'true') {
    return { connections: [to(first), ...others.map(to)] };
  }
  // The driver does the same, but prints its own warning.
  const strict = (url: string) => to(url.replace(/([?&]sslmode=)[^&#]*/g, '$1verify-full'));
  return {
    connections: [strict(first), ...others.map(strict)],
    notice: `sslmode=${mode} in ${variable} is treated as verify-full: the database server's certificate and host name are verified`,
  };
}
