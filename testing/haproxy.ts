import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const shipped = join(import.meta.dirname.replace(/dist$/, ''), '../deploy/haproxy.cfg');

export interface HaproxyPlaces {
  /** Ports of the instances on this machine. */
  readonly instances: readonly number[];
  /** Where it takes HTTP/1.1 without encryption. */
  readonly plainPort: number;
  /** Where it takes HTTP/1.1 and HTTP/2 with encryption, and the file with certificate and key; nowhere without them. */
  readonly tls?: { readonly port: number; readonly certificate: string };
  /** How many connections it takes; a process here may open fewer files than a system's unit is given. */
  readonly connections: number;
}

/** The configuration of HAProxy that is shipped, with the places of this machine. */
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
