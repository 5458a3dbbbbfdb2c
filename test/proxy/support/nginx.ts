import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ProxyKind, programOf } from './proxy-kind.ts';

const configuration = new URL('../../../deploy/nginx.conf', import.meta.url);

export const nginx: ProxyKind = {
  name: 'nginx',
  program: programOf('/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx'),
  reload: 'SIGHUP',
  checks: false,
  configure: async ({ folder, instances, ports, certificate }) => {
    const site = (await readFile(configuration, 'utf8'))
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
