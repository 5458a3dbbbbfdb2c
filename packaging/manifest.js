import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const rootFolder = join(import.meta.dirname, '..');

export function readJson(/** @type {string} */ path) {
  return JSON.parse(readFileSync(join(rootFolder, path), 'utf8'));
}

/** The package.json of the package. The publishing workflow adds its origin, for provenance. */
export function packageManifest(environment = process.env) {
  const { name, version, description, license, engines } = readJson('package.json');
  const { optionalDependencies } = readJson('libs/embedded-postgres/package.json');
  const { GITHUB_SERVER_URL, GITHUB_REPOSITORY } = environment;
  const page = `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`;
  return {
    name,
    version,
    description,
    license,
    type: 'module',
    engines,
    bin: { shiplog: 'apps/command/dist/main.js' },
    optionalDependencies,
    publishConfig: { access: 'public', provenance: true },
    ...(GITHUB_REPOSITORY && { homepage: `${page}#readme`, repository: { type: 'git', url: `git+${page}.git` } }),
  };
}
