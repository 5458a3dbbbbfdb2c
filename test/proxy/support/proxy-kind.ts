import { existsSync } from 'node:fs';

/** A proxy with the configuration that is shipped for it. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string | undefined;
  /** Writes its configuration into the folder and gives what it is started with there. */
  readonly configure: (options: Configured) => Promise<readonly string[]>;
  /** Has it read its configuration again and take new connections in new processes. */
  readonly reload: NodeJS.Signals;
  /** It asks instances by itself whether they are ready. */
  readonly checks: boolean;
}

export interface Configured {
  readonly folder: string;
  /** Of the instances. */
  readonly instances: readonly number[];
  /** Where it takes HTTP/1.1 without encryption, and HTTP/1.1 and HTTP/2 with it. */
  readonly ports: { readonly plain: number; readonly tls: number };
  /** A certificate with its key. */
  readonly certificate: string;
}

/** The first of these places where the program is. */
export function programOf(...places: readonly string[]): string | undefined {
  return places.find(existsSync);
}
