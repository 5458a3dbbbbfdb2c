import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const shipped = join(import.meta.dirname.replace(/dist$/, ''), '../deploy/haproxy.cfg');

export interface HaproxyPlaces {
  /** The ports of the instances on this machine. */
  readonly instances: readonly number[];
  /** The port for HTTP/1.1 without TLS. */
  readonly plainPort: number;
  /** The TLS port for HTTP/1.1 and HTTP/2, and the file with the certificate and key. If absent, TLS is off. */
  readonly tls?: { readonly port: number; readonly certificate: string };
  /** The maximum number of connections, because a process in a test may open fewer files than a systemd unit. */
  readonly connections: number;
}

/** The HAProxy configuration of `deploy/`, with the ports and files of a test. */
export async function haproxyConfiguration({ instances, plainPort, tls, connections }: HaproxyPlaces): Promise<string> {
  return (await readFile(shipped, 'utf8'))
    .replace('maxconn 20000', `maxconn ${connections}`)
    .replace('bind :80', `bind 127.0.0.1:${plainPort}`)
    .replace('#bind :443 ssl crt /etc/haproxy/shiplog.pem', (line) =>
      tls ? `bind 127.0.0.1:${tls.port} ssl crt ${tls.certificate}` : line,
    )
    .replace(/( *server )(last-)?one 127.0.0.1:3000(.*\n).*127.0.0.1:3001.*\n/g, (_, before, last = '', after) =>
      instances.map((port, n) => `${before}${last}${n} 127.0.0.1:${port}${after}`).join(''),
    );
}
