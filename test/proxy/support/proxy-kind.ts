import { existsSync } from 'node:fs';

/** A proxy with its configuration from `deploy/`. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string | undefined;
  /** Writes the configuration into the folder and returns the command-line arguments. */
  readonly configure: (options: Configured) => Promise<readonly string[]>;
  /** The signal that makes the proxy reload its configuration and accept new connections in new processes. */
  readonly reload: NodeJS.Signals;
  /** Whether the proxy checks the readiness of instances. */
  readonly checks: boolean;
}

export interface Configured {
  readonly folder: string;
  /** The ports of the instances. */
  readonly instances: readonly number[];
  /** The plain port for HTTP/1.1 and the TLS port for HTTP/1.1 and HTTP/2. */
  readonly ports: { readonly plain: number; readonly tls: number };
  /** The path of a file with a certificate and its key. */
  readonly certificate: string;
}

/** The first of these paths that exists. */
export function programOf(...places: readonly string[]): string | undefined {
  return places.find(existsSync);
}
