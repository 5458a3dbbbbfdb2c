import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, rootFolder } from './manifest.js';

/** The paths of packages in the lock file that programs and dashboard use: those that `npm ci --omit=dev` installs. */
export function packagesAtRunTime() {
  const { packages } = readJson('package-lock.json');
  const tests = ['testing', 'conformance', 'bench', 'integrations', 'packaging', 'test'];
  const own = Object.keys(packages).filter((place) => /^(?:apps|libs)\//.test(place) && !tests.includes(place));
  const found = new Set();
  const visit = (/** @type {string} */ place) => {
    if (found.has(place)) return;
    found.add(place);
    const { dependencies = {}, optionalDependencies = {} } = packages[place];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const next = resolved(packages, place, name);
      if (next !== undefined) visit(next);
    }
  };
  own.filter((place) => !place.includes('node_modules')).forEach(visit);
  return [...found].filter((place) => place.includes('node_modules/') && !packages[place].link).sort();
}

/** The path where Node finds a package from another path: in the nearest node_modules upwards. */
function resolved(
  /** @type {Record<string, { link?: boolean, resolved?: string }>} */ packages,
  /** @type {string} */ from,
  /** @type {string} */ name,
) {
  for (let folder = from; ; folder = folder.includes('/') ? folder.slice(0, folder.lastIndexOf('/')) : '') {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    const found = packages[place];
    if (found) return found.link ? found.resolved : place;
    if (folder === '') return undefined;
  }
}

/** The licence text of every package in the bundle. */
export function noticesOf() {
  const { packages } = readJson('package-lock.json');
  const sections = packagesAtRunTime()
    // Platform-specific packages are installed next to the bundle, with their own licences.
    .filter((place) => !packages[place].os)
    .map((place) => {
      const { name, version, license, author } = readJson(`${place}/package.json`);
      const head = `${name} ${version} (${license})`;
      const texts = licenceTexts(place);
      const by = typeof author === 'object' ? author.name : author;
      return `${head}\n${'='.repeat(head.length)}\n\n${texts.join('\n\n') || `Licence: ${license}. Author: ${by ?? 'unknown'}.`}`;
    });
  return `This package contains the following software, or parts of it.\n\n${sections.join('\n\n\n')}\n`;
}

function licenceTexts(/** @type {string} */ place) {
  const folder = join(rootFolder, place);
  if (!existsSync(folder)) throw new Error(`${place} is not installed; run npm ci --include=dev.`);
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|notice|copying)(?:[.-]|$)/i.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
}
