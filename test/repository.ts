import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');

export interface SourceFile {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** The paths of all files below a folder, without installed and built files. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name === 'dist') return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** The files below some folders whose paths match. */
export function readFiles(folders: readonly string[], pattern: RegExp): SourceFile[] {
  const paths = folders.flatMap(filesBelow).filter((path) => pattern.test(path));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** The code of a module without comments, because the rules don't apply to comments. */
export function codeOf(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
