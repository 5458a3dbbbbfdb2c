import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const settingsPage = readFileSync(join(root, 'docs/settings.md'), 'utf8');
const { version } = JSON.parse(text('package.json')) as { version: string };

function text(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

interface Container {
  readonly image?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly depends_on?: object;
  readonly profiles?: readonly string[];
}

describe('compose.yaml', () => {
  const { services } = parse(text('deploy/compose.yaml'), { merge: true }) as { services: Record<string, Container> };
  const ours = Object.entries(services).filter(([name]) => name !== 'postgres');

  test('sets variables that the programs have', () => {
    const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((variable) => !settingsPage.includes(`\`${variable}\``))).toEqual([]);
  });

  test('runs programs of the command, of this version, on a read-only file system', () => {
    const programs = text('apps/command/src/commands/programs.ts');
    for (const [, { image = '', command = ['serve'], read_only }] of ours) {
      expect(image).toBe(`\${SHIPLOG_IMAGE:-shiplog:${version}}`);
      expect(programs).toMatch(new RegExp(`^ {2}'?${command[0]}'?: \\[`, 'm'));
      expect(read_only).toBe(true);
    }
  });

  test('has emulator and driver in the profile demo only', () => {
    const demo = ours.filter(([, { profiles = [] }]) => profiles.includes('demo')).map(([name]) => name);
    expect(demo).toEqual(['emulator', 'driver']);
  });

  test('has a word for each variable that is not set, because podman-compose hands an empty one on as it stands', () => {
    expect(text('deploy/compose.yaml').match(/\$\{\w+:?[-?]\}/g)).toBe(null);
  });

  test('waits for services that are there', () => {
    const awaited = ours.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on));
    expect(awaited.filter((name) => !(name in services))).toEqual([]);
  });
});

describe.each([
  ['embedded', 'stateful-set.yaml', 1],
  ['postgres', 'deployment.yaml', 2],
])('the Kustomize overlay %s', (overlay, file, replicas) => {
  const folder = `deploy/kustomize/overlays/${overlay}`;
  const { spec } = parse(text(`${folder}/${file}`)) as { spec: Workload };
  const [container] = spec.template.spec.containers;

  test(`runs ${replicas} of this version`, () => {
    const { images, resources } = parse(text(`${folder}/kustomization.yaml`)) as Kustomization;
    expect({ images, resources, replicas: spec.replicas }).toEqual({
      images: [{ name: container?.image, newTag: version }],
      resources: ['../../base', file],
      replicas,
    });
  });

  test('asks probes that the service has', () => {
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    const paths = Object.values(endpoints).map(({ path }): string => path);
    expect(probes.filter((probe) => !paths.includes(probe?.httpGet.path ?? ''))).toEqual([]);
  });

  test('has no rights, and may write to its volumes only', () => {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

interface Kustomization {
  readonly images: unknown;
  readonly resources: unknown;
}

interface Workload {
  readonly replicas: number;
  readonly template: { readonly spec: { readonly securityContext: object; readonly containers: readonly Pod[] } };
}

interface Probe {
  readonly httpGet: { readonly path: string };
}

interface Pod {
  readonly image: string;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly securityContext: object;
}
