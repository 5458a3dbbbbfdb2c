import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { childrenOf, freePort, testFolder, until } from '@shiplog/testing';
import { describe, onTestFinished } from 'vitest';
import { haproxy, nginx, type ProxyKind, programOf } from './proxy-kinds.ts';

interface RunningProxy {
  /** The URL without TLS. */
  readonly url: string;
  readonly tlsUrl: string;
  /**
   * Reloads the configuration. Resolves when a new process accepts connections. Open connections stay with the old
   * process.
   */
  reload(): Promise<void>;
}

const openssl = programOf('/usr/bin/openssl', '/usr/local/bin/openssl', '/opt/homebrew/bin/openssl');

/** Runs the tests behind each installed proxy. */
export function describeBehindProxies(run: (proxy: ProxyKind) => void): void {
  for (const proxy of [nginx, haproxy]) {
    const lacks = proxy.program === undefined ? proxy.name : openssl === undefined ? 'openssl' : undefined;
    if (lacks !== undefined)
      process.stderr.write(`proxy: tests behind ${proxy.name} are skipped: no ${lacks} on this machine\n`);
    describe.skipIf(lacks !== undefined)(`behind ${proxy.name}`, () => run(proxy));
  }
}

/** Starts a proxy in front of the instances. The proxy is stopped when the test ends. */
export async function startProxy(proxy: ProxyKind, instances: readonly number[]): Promise<RunningProxy> {
  const folder = await testFolder();
  const ports = { plain: await freePort(), tls: await freePort() };
  const certificate = makeCertificate(folder);
  const parameters = await proxy.configure({ folder, instances, ports, certificate });
  const child = spawn(proxy.program ?? '', parameters, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const isEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(async () => isEnded() || ((await listens(ports.plain)) && (await listens(ports.tls))));
  if (isEnded()) throw new Error(`${output}\n${await readFile(join(folder, 'error.log'), 'utf8').catch(() => '')}`);
  return {
    url: `http://127.0.0.1:${ports.plain}`,
    tlsUrl: `https://127.0.0.1:${ports.tls}`,
    reload: async () => {
      const before = await childrenOf(child.pid ?? 0);
      child.kill(proxy.reload);
      await until(async () => (await childrenOf(child.pid ?? 0)).some((pid) => !before.includes(pid)));
    },
  };
}

/** Creates a self-signed certificate with its key in one file. Returns the path. */
function makeCertificate(folder: string): string {
  const path = join(folder, 'shiplog.pem');
  const asked = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=shiplog'.split(' ');
  execFileSync(openssl ?? '', [...asked, '-keyout', `${path}.key`, '-out', `${path}.crt`], { stdio: 'ignore' });
  execFileSync('sh', ['-c', 'cat "$1.crt" "$1.key" > "$1"', 'sh', path]);
  return path;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
