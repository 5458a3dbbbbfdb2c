import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootFolder } from './manifest.js';

/** Patterns of the version in files other than package.json. */
const mentions = /** @type {const} */ ([
  ['libs/contract/src/version.ts', /productVersion = '([^']+)'/g],
  ['deploy/compose.yaml', /shiplog:(\d[^}]*)\}/g],
  ['deploy/kustomize/overlays/embedded/kustomization.yaml', /newTag: ([^\s}]+)/g],
  ['deploy/kustomize/overlays/postgres/kustomization.yaml', /newTag: ([^\s}]+)/g],
  ['deploy/kustomize/fetcher/kustomization.yaml', /newTag: ([^\s}]+)/g],
  ['deploy/kustomize/relay/kustomization.yaml', /newTag: ([^\s}]+)/g],
  ['integrations/bitbucket/pipe.yml', /shiplog-pipe:(\S+)/g],
  // Images and the orb use the version, and repository tags have a v before it (.github/workflows/release.yml).
  ['docs/integrations.md', /(?:shiplog-pipe:|shiplog@|@v|tags\/v)(\d[^\s'`}]*)/g],
]);

/** A message for each file whose version differs from that of package.json or is missing. */
export function versionFaults(/** @type {(path: string) => string} */ read = text) {
  const { version } = JSON.parse(read('package.json'));
  const faults = [];
  for (const [path, pattern] of mentions) {
    const named = [...read(path).matchAll(pattern)].map(([, found]) => found);
    if (named.length === 0) faults.push(`${path} has no version; expected ${version}.`);
    for (const other of named.filter((found) => found !== version)) {
      faults.push(`${path} has version ${other}; expected ${version}.`);
    }
  }
  const { packages } = JSON.parse(read('package-lock.json'));
  for (const [path, { version: other }] of Object.entries(packages)) {
    if (path.includes('node_modules') || other === version) continue;
    faults.push(`package-lock.json has ${path || 'the project'} in ${other} instead of ${version}.`);
  }
  return faults;
}

/** The section of a version in CHANGELOG.md, or else the Unreleased section. */
export function releaseNotes(/** @type {string} */ version, read = text) {
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
  const find = (/** @type {string} */ title) => sections.find((section) => section.split(/[\s(]/, 1)[0] === title);
  const section = find(version) ?? find('Unreleased');
  return section
    ?.slice(section.indexOf('\n') + 1)
    .trim()
    .concat('\n');
}

function text(/** @type {string} */ path) {
  return readFileSync(join(rootFolder, path), 'utf8');
}
