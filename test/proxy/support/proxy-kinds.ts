import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { haproxyConfiguration } from '@shiplog/testing/haproxy';

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

interface Configured {
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

export const haproxy: ProxyKind = {
  name: 'HAProxy',
  program: programOf('/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/opt/homebrew/sbin/haproxy'),
  reload: 'SIGUSR2',
  checks: true,
  configure: async ({ folder, instances, ports, certificate }) => {
    const tls = { port: ports.tls, certificate };
    const site = await haproxyConfiguration({ instances, plainPort: ports.plain, tls, connections: 4000 });
    await writeFile(join(folder, 'haproxy.cfg'), site);
    return ['-W', '-f', join(folder, 'haproxy.cfg')];
  },
};

export const nginx: ProxyKind = {
  name: 'nginx',
  program: programOf('/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'),
  reload: 'SIGHUP',
  checks: false,
  configure: async ({ folder, instances, ports, certificate }) => {
    const site = (await readFile(new URL('../../../deploy/nginx.conf', import.meta.url), 'utf8'))
      .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
      .replace('#listen 443 ssl http2;', `listen 127.0.0.1:${ports.tls} ssl http2;`)
      .replace(/#(ssl_certificate(?:_key)?) .*;/g, `$1 ${certificate};`)
      .replace(/( *server )127.0.0.1:3000(.*\n).*127.0.0.1:3001.*\n/, (_, before: string, after: string) =>
        instances.map((port) => `${before}127.0.0.1:${port}${after}`).join(''),
      );
    await writeFile(join(folder, 'shiplog.conf'), site);
    await writeFile(join(folder, 'nginx.conf'), surroundings);
    return ['-p', folder, '-e', 'error.log', '-c', 'nginx.conf'];
  },
};

/** The main nginx.conf, which includes the site. */
const surroundings = `
daemon off;
worker_processes 2;
pid nginx.pid;
error_log error.log;
worker_rlimit_nofile 20000;
events { worker_connections 8192; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  gzip on;
  include shiplog.conf;
}
`;
