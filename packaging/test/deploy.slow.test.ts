import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';

const deploy = join(import.meta.dirname, '../../deploy');

/** Whether a program is on this machine; what needs one that is not is skipped. */
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

describe.skipIf(!has('kubectl', 'version', '--client'))('what kubectl makes of the overlays (needs kubectl)', () => {
  test.each(['embedded', 'postgres'])('%s selects its own pods everywhere', (overlay) => {
    const folder = join(deploy, 'kustomize/overlays', overlay);
    const rendered = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
    const manifests = parseAllDocuments(rendered).map((document) => document.toJS() as Manifest);
    const own = { 'app.kubernetes.io/name': 'shiplog' };
    expect(manifests.length).toBe(5);
    for (const { kind, spec } of manifests) {
      const selected = spec.podSelector ?? spec.selector;
      expect({ kind, selected }).toEqual({ kind, selected: kind === 'Service' ? own : { matchLabels: own } });
      if (spec.template) expect(spec.template.metadata.labels).toEqual(own);
    }
  });
});

test.skipIf(!has('systemd-analyze', '--version'))(
  'systemd takes the unit, and finds it hardened (needs systemd)',
  async () => {
    const unit = join(deploy, 'shiplog.service');
    const verified = spawnSync('systemd-analyze', ['verify', unit], { encoding: 'utf8' });
    expect(verified.stderr.split('\n').filter((line) => line.includes('shiplog.service'))).toEqual([]);
    const judged = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=25', unit]);
    expect(judged.status).toBe(0);
  },
);

test.skipIf(!has('docker-compose', 'version'))('docker-compose takes compose.yaml (needs docker-compose)', async () => {
  const env = join(await testFolder(), '.env');
  writeFileSync(env, 'API_KEY=a\nCONTROL_API_KEY=b\nPOSTGRES_PASSWORD=c\n');
  const args = ['--file', join(deploy, 'compose.yaml'), '--env-file', env, '--profile', 'demo', 'config', '--quiet'];
  expect(spawnSync('docker-compose', args, { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
});
