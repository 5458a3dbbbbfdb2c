import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const deploy = join(import.meta.dirname, '../../deploy');

/** Whether a program is installed; tests that need a missing program are skipped. */
function has(program: string, ...args: string[]): boolean {
  return spawnSync(program, args).status === 0;
}

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly selector?: { readonly matchLabels?: object } & object;
    readonly podSelector?: object;
    readonly template?: { readonly metadata: { readonly labels: object } };
  };
}

describe.skipIf(!has('kubectl', 'version', '--client'))('overlays rendered by kubectl (needs kubectl)', () => {
  test.each([
    ['overlays/embedded', 'shiplog', 4],
    ['overlays/postgres', 'shiplog', 4],
    ['fetcher', 'shiplog-fetcher', 3],
    ['relay', 'shiplog-relay', 4],
  ])('the manifests in %s select only their own pods', (place, name, count) => {
    const folder = join(deploy, 'kustomize', place);
    const rendered = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest);
    const own = { 'app.kubernetes.io/name': name };
    expect(manifests.length).toBe(count);
    for (const { kind, spec } of manifests.filter((manifest) => manifest.spec)) {
      const selected = spec.podSelector ?? spec.selector;
      expect({ kind, selected }).toEqual({ kind, selected: kind === 'Service' ? own : { matchLabels: own } });
      if (spec.template) expect(spec.template.metadata.labels).toEqual(own);
    }
  });
});

test.skipIf(!has('systemd-analyze', '--version')).each(['shiplog', 'shiplog-fetcher', 'shiplog-relay'])(
  'systemd accepts the unit %s and rates it as hardened (needs systemd)',
  async (name) => {
    const unit = join(deploy, `${name}.service`);
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(verified.stderr.split('\n').filter((line) => line.includes(`${name}.service`))).toEqual([]);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit]);
    expect(judged.status).toBe(0);
  },
);

test.skipIf(!has('docker-compose', 'version'))(
  'docker-compose accepts compose.yaml (needs docker-compose)',
  async () => {
    const env = join(await testFolder(), '.env');
    writeFileSync(env, 'API_KEY=a\nCONTROL_API_KEY=b\nPOSTGRES_PASSWORD=c\n');
    const args = [
      '--file',
      join(deploy, 'compose.yaml'),
      '--env-file',
      env,
      '--profile',
      'demo',
      '--profile',
      'relay',
      'config',
      '--quiet',
    ];
    expect(spawnSync('docker-compose', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  },
);
