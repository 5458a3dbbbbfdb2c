import { existsSync } from 'node:fs';

/** A proxy with the configuration that is shipped for it. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string | undefined;
  /** Writes its configuration into the folder and returns its arguments. */
  readonly configure: (options: Configured) => Promise<readonly string[]>;
  /** Makes it reload its configuration and accept new connections in new processes. */
  readonly reload: NodeJS.Signals;
  /** Whether it checks the readiness of instances itself. */
  readonly checks: boolean;
}

export interface Configured {
  readonly folder: string;
  /** Of the instances. */
  readonly instances: readonly number[];
  /** The port for HTTP/1.1 without TLS, and the port for HTTP/1.1 and HTTP/2 with TLS. */
  readonly ports: { readonly plain: number; readonly tls: number };
  /** A certificate with its key. */
  readonly certificate: string;
}

/** The first of these paths that exists. */
export function programOf(...places: readonly string[]): string | undefined {
  return places.find(existsSync);
}
