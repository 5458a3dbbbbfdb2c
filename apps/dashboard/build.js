import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Builds the dashboard where a source is newer than what was built; otherwise a start does not wait for it.
 */
const folder = new URL('./', import.meta.url);
const sources = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => new URL(name, folder));
const libraries = ['contract/src', 'client/src', 'streams/src', 'panels/files'].map(
  (name) => new URL(`../../libs/${name}`, folder),
);

const builtAt = changedAt(new URL('dist/index.html', folder));
if ([...sources, ...libraries].some((source) => newest(source) > builtAt)) {
  const { build } = await import('vite');
  await build({ configFile: fileURLToPath(new URL('vite.config.ts', folder)), logLevel: 'warn' });
}

/** When the newest file of a folder was changed, or the file itself. */
function newest(/** @type {URL} */ place) {
  const own = changedAt(place);
  if (!statSync(place).isDirectory()) return own;
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' });
  return Math.max(own, ...names.map((name) => changedAt(new URL(`${place.href}/${name.replaceAll('\\', '/')}`))));
}

function changedAt(/** @type {URL} */ file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
