import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.js';

/** `npm run package`: builds the npm tarball and prints its path as the last line of standard output. */
const place = join(import.meta.dirname, 'dist');
mkdirSync(place, { recursive: true });
await bundle(join(place, 'package'));
const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', place, join(place, 'package')], {
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
const answer = JSON.parse(packed);
const [{ filename, size, entryCount }] = Array.isArray(answer) ? answer : Object.values(answer);
process.stdout.write(`${entryCount} files, ${(size / 1e6).toFixed(2)} MB\n${join(place, filename)}\n`);
