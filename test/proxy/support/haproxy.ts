import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { haproxyConfiguration } from '@shiplog/testing/haproxy';
import { type ProxyKind, programOf } from './proxy-kind.ts';

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
