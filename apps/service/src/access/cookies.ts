import type { CookieSerializeOptions } from '@fastify/cookie';
import { pathPrefixOf } from '@shiplog/server';

/** The cookies of one service (access.md 5.5, 9.23): their names and where they are sent. */
export interface Cookies {
  readonly session: string;
  readonly signIn: string;
  readonly options: CookieSerializeOptions;
}

/** @param publicUrl the address under which browsers reach the service. */
export function cookiesOf(publicUrl: string): Cookies {
  const prefix = pathPrefixOf(publicUrl);
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const session = isSecure ? `${prefix === '' ? '__Host-' : '__Secure-'}shiplog` : 'shiplog';
  const options = { path: prefix === '' ? '/' : prefix, httpOnly: true, sameSite: 'lax', secure: isSecure } as const;
  return { session, signIn: `${session}-login`, options };
}
