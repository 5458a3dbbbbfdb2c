import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fetcherEndpoints, relayEndpoints } from '@shiplog/companions';
import { endpoints } from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseRelayFile } from '../../apps/relay/src/config/relay-file.ts';

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

  test('sets only variables that the programs read', () => {
    const set = ours.flatMap(([, { environment = {} }]) => Object.keys(environment));
    expect(set.length).toBeGreaterThan(10);
    expect(set.filter((variable) => !settingsPage.includes(`\`${variable}\``))).toEqual([]);
  });

  test("runs the command's programs in this version on a read-only file system", () => {
    const programs = text('apps/command/src/commands/programs.ts');
    for (const [, { image = '', command = ['serve'], read_only }] of ours) {
      expect(image).toBe(`\${SHIPLOG_IMAGE:-shiplog:${version}}`);
      expect(programs).toMatch(new RegExp(`^ {2}'?${command[0]}'?: \\[`, 'm'));
      expect(read_only).toBe(true);
    }
  });

  test('has the emulator and the driver only in the profile demo', () => {
    const demo = ours.filter(([, { profiles = [] }]) => profiles.includes('demo')).map(([name]) => name);
    expect(demo).toEqual(['emulator', 'driver']);
  });

  test('has a default for each variable, because podman-compose passes empty values; an empty key counts as unset', () => {
    const empty = [...text('deploy/compose.yaml').matchAll(/\$\{(\w+):?[-?]\}/g)].map(([, name]) => name);
    expect(empty).toEqual(['FETCHER_KEY', 'RELAY_KEY', 'DRIVER_KEY']);
  });

  test('waits only for services that exist', () => {
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
      images: [{ name: container?.image, newName: 'ghcr.io/acme/shiplog', newTag: version }],
      resources: ['../../base', file],
      replicas,
    });
  });

  test('uses probes that the service has', () => {
    const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
    const paths = Object.values(endpoints).map(({ path }): string => path);
    expect(probes.filter((probe) => !paths.includes(probe?.httpGet.path ?? ''))).toEqual([]);
  });

  test('has no privileges and writes only to its volumes', () => {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });
});

describe.each(['fetcher', 'relay'])('the %s', (name) => {
  const folder = `deploy/kustomize/${name}`;
  const { spec } = parse(text(`${folder}/deployment.yaml`)) as { spec: Workload };
  const [container] = spec.template.spec.containers;

  test('has a Kustomization of this version with its own pods', () => {
    const { images, labels } = parse(text(`${folder}/kustomization.yaml`)) as Kustomization & { labels: unknown };
    expect(images).toEqual([{ name: container?.image, newName: 'ghcr.io/acme/shiplog', newTag: version }]);
    expect(labels).toEqual([{ pairs: { 'app.kubernetes.io/name': `shiplog-${name}` }, includeSelectors: true }]);
  });

  test('uses probes that the program has, and has no privileges', () => {
    const paths = Object.values({ ...fetcherEndpoints, ...relayEndpoints }).map(({ path }): string => path);
    for (const probe of [container?.readinessProbe, container?.livenessProbe])
      expect(paths).toContain(probe?.httpGet.path);
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
  });

  test('sets only variables that the program reads, and so do compose.yaml and the systemd unit', () => {
    const { env = [] } = container as Pod & { env?: { name: string }[] };
    const unit = text(`deploy/shiplog-${name}.service`);
    const [ownLines = ''] = unit.split('CapabilityBoundingSet');
    const named = [...env.map((each) => each.name), ...(ownLines.match(/\b(?!NODE_ENV)[A-Z]+_[A-Z_]+\b/g) ?? [])];
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((variable) => !settingsPage.includes(`\`${variable}\``))).toEqual([]);
    expect(unit).toContain(`ExecStart=/usr/bin/env shiplog ${name}\n`);
    expect(text('deploy/compose.yaml')).toContain(`command: [${name}]`);
  });
});

test('the relay accepts its configuration file in Kubernetes', () => {
  const { targets } = parseRelayFile(text('deploy/kustomize/relay/relay.yaml'), 'relay.yaml', {
    SLACK_URL: 'https://hooks.slack.test/a',
  });
  expect(targets.map(({ target }) => target.name)).toEqual(['ops']);
});

test('overlays work without the Prometheus operator', () => {
  const { resources } = parse(text('deploy/kustomize/base/kustomization.yaml')) as Kustomization;
  expect(resources).toEqual(['service.yaml', 'network-policy.yaml', 'pod-disruption-budget.yaml']);
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
