import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface RepositoryFile {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

/** The files below a folder of the repository whose path matches; without what is installed or built. */
export function filesBelow(folder: string, pattern: RegExp): RepositoryFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    if (entry.isDirectory()) return filesBelow(path, pattern);
    return pattern.test(path) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
  });
}

/** Rules are about code, so comments are removed. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
