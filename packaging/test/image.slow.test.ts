import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '../image.js');
const programs = ['buildah', 'mmdebstrap'].filter((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(programs.includes('buildah'))('without buildah, the image build is skipped with a message', () => {
  const said = execFileSync(process.execPath, [script], { encoding: 'utf8' });
  expect(said).toBe('Skipping the image: buildah is not installed.\n');
});

const podman = [...programs, 'podman', 'runc'].filter((name) => spawnSync(name, ['--version']).status === 0);

test.skipIf(podman.length < 4)(
  'the image runs without privileges and stops cleanly (needs buildah, mmdebstrap, podman, runc)',
  async () => {
    execFileSync(process.execPath, [script, '--base', 'debian']);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    const run = (...args: string[]) => spawnSync('podman', ['--log-level=error', ...args], { encoding: 'utf8' });
    const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=4096:4096'];
    const rights = ['--network', 'host', '--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--init=false'];
    const start = ['--runtime', 'runc', 'run', ...limits, ...rights];
    const refused = run(...start, '--rm', `shiplog:${version}`);
    expect({ code: refused.status, said: refused.stderr + refused.stdout }).toMatchObject({
      code: 1,
      said: expect.stringContaining('set API_KEY and CONTROL_API_KEY'),
    });
    const keys = ['--env', 'API_KEY=secret-of-a-test', '--env', 'CONTROL_API_KEY=secret-of-b-test', '--env', 'PORT=0'];
    const name = `shiplog-test-${process.pid}`;
    const args = [...start, '--rm', '--name', name, ...keys, '--volume', '/var/lib/shiplog', `shiplog:${version}`];
    const container = spawn('podman', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(container, 'close');
    onTestFinished(() => void run('rm', '--force', '--volumes', name));
    let said = '';
    let isEnding = false;
    for await (const piece of container.stdout) {
      said += piece;
      if (isEnding || !said.includes('"msg":"ready')) continue;
      isEnding = true;
      expect(run('exec', name, 'shiplog', '--version').stdout.trim()).toBe(version);
      run('kill', '--signal', 'TERM', name);
    }
    expect(said).toContain('embedded PostgreSQL');
    expect(await ended).toEqual([0, null]);
  },
);
