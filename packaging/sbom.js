import { execFileSync } from 'node:child_process';
import { readJson, rootFolder } from './manifest.js';
import { packagesAtRunTime } from './notices.js';

/** The bill of materials of the package, CycloneDX: what it is made of and what it installs. The same for the same lock file. */
export function billOfMaterials() {
  // npm leaves packages of the programs out where NODE_ENV is production, which a build with Vite makes it.
  const args = [
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
    '--include',
    'dev',
  ];
  const text = execFileSync('npm', args, {
    cwd: rootFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });
  const { serialNumber, metadata, components, dependencies, ...bill } = JSON.parse(text);
  const { timestamp, ...told } = metadata;
  const { packages } = readJson('package-lock.json');
  const names = packagesAtRunTime().map(
    (place) => `${place.slice(place.lastIndexOf('node_modules/') + 13)}@${packages[place].version}`,
  );
  const used = new Set(names);
  const inside = components.filter((/** @type {{ 'bom-ref': string }} */ { 'bom-ref': ref }) => used.has(ref));
  const refs = new Set(inside.map((/** @type {{ 'bom-ref': string }} */ component) => component['bom-ref']));
  return {
    ...bill,
    metadata: told,
    components: inside,
    dependencies: dependencies
      .filter((/** @type {{ ref: string }} */ { ref }) => refs.has(ref))
      .map((/** @type {{ ref: string, dependsOn?: string[] }} */ { ref, dependsOn = [] }) => ({
        ref,
        dependsOn: dependsOn.filter((name) => refs.has(name)),
      })),
  };
}
