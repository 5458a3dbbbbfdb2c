import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readJson, rootFolder } from './manifest.js';
import { releaseNotes, versionFaults } from './versions.js';

/**
 * `npm run release -- --dry-run [--base <image>]`: writes what a release publishes to packaging/dist/release: the
 * tarball, the bill of materials, the notices, checksums, the notes from CHANGELOG.md and, if possible, the image's
 * digest. The workflow publishes the folder, because it has the identity that provenance names.
 */
const [dry, ...imageOptions] = process.argv.slice(2);
if (dry !== '--dry-run') {
  process.stderr.write('Run it with --dry-run; .github/workflows/release.yml publishes the result.\n');
  process.exit(2);
}
const { version } = readJson('package.json');
const faults = versionFaults();
const notes = releaseNotes(version);
if (notes === undefined) faults.push(`CHANGELOG.md has neither a section ${version} nor Unreleased.`);
if (faults.length > 0) {
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exit(1);
}

const place = join(import.meta.dirname, 'dist');
const target = join(place, 'release');
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const tarball = lastLine(node('package.js'));
copyFileSync(tarball, join(target, basename(tarball)));
for (const name of ['sbom.json', 'THIRD-PARTY-NOTICES.txt']) {
  if (!existsSync(join(place, 'package', name))) throw new Error(`The package has no ${name}.`);
  copyFileSync(join(place, 'package', name), join(target, name));
}
writeFileSync(join(target, 'NOTES.md'), notes ?? '');
const image = node('image.js', ...imageOptions);
writeFileSync(join(target, 'image.txt'), image);
const sums = readdirSync(target)
  .sort()
  .map((name) => `${sha256(join(target, name))}  ${name}\n`);
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
process.stdout.write(`${image}${sums.join('')}${target}\n`);

function node(/** @type {string} */ script, /** @type {string[]} */ ...args) {
  const file = join(import.meta.dirname, script);
  return execFileSync(process.execPath, [file, ...args], {
    cwd: rootFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 2],
  });
}

function lastLine(/** @type {string} */ text) {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function sha256(/** @type {string} */ path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
