import { existsSync } from 'node:fs';

/** A proxy with its configuration from `deploy/`. */
export interface ProxyKind {
  readonly name: string;
  readonly program: string | undefined;
  /** Writes its configuration into the folder and returns its arguments. */
  readonly configure: (options: Configured) => Promise<readonly string[]>;
  /** The signal on which the proxy reloads its configuration and accepts new connections in new processes. */
  readonly reload: NodeJS.Signals;
  /** Whether the proxy checks the readiness of instances. */
  readonly checks: boolean;
}

export interface Configured {
  readonly folder: string;
  /** The ports of the instances. */
  readonly instances: readonly number[];
  /** The port for HTTP/1.1 without TLS, and the port for HTTP/1.1 and HTTP/2 with TLS. */
  readonly ports: { readonly plain: number; readonly tls: number };
  /** The path of a certificate with its key. */
  readonly certificate: string;
}

/** The first of these paths that exists. */
export function programOf(...places: readonly string[]): string | undefined {
  return places.find(existsSync);
}
