import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { packageManifest, rootFolder } from './manifest.js';
import { noticesOf } from './notices.js';
import { billOfMaterials } from './sbom.js';

/**
 * Writes the npm package's folder: every program bundled with its imports, at its path in the repository, because
 * programs find their files and other programs by relative paths.
 */

/** The path to the root from every bundled file: chunks are as deep as the programs' own files. */
const toRoot = '../../../';

/** Files that programs read, by path in the repository. */
const files = [
  'apps/service/migrations',
  'apps/dashboard/dist',
  'apps/mock/panel/dist',
  'apps/demo-driver/panel/dist',
  'apps/ci-emulator/panel/dist',
  'demo/data',
  'demo/catalog.yaml',
  'demo/fetcher.yaml',
  'integrations/shiplog-post.sh',
  'LICENSE',
];

/** The docs about running and using the programs. */
function isForUsers(/** @type {string} */ name) {
  const ofTheProject = ['dependencies.md', 'performance.md'];
  return name.endsWith('.md') && !ofTheProject.includes(name);
}

const commandMain = 'apps/command/src/main.ts';
/** Files that programs start as threads. */
const threads = ['apps/service/src/catalog-thread.ts'];

export async function bundle(/** @type {string} */ folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, ['build.js', 'dashboard', 'panels'], { cwd: rootFolder, stdio: ['ignore', 2, 2] });
  // Bundled separately, so that `shiplog --help` loads no code shared with a server.
  await bundleInto(folder, [commandMain], 'libs/command/dist');
  const command = join(folder, 'apps/command/dist/main.js');
  writeFileSync(command, `#!/usr/bin/env node\n${readFileSync(command, 'utf8')}`);
  chmodSync(command, 0o755);
  await bundleInto(folder, [...programMains(), ...threads], 'libs/programs/dist');
  for (const file of files) {
    cpSync(join(rootFolder, file), join(folder, file), { recursive: true, filter: (path) => !path.endsWith('.map') });
  }
  for (const name of readdirSync(join(rootFolder, 'docs')).filter(isForUsers)) {
    cpSync(join(rootFolder, 'docs', name), join(folder, 'docs', name));
  }
  write(folder, 'package.json', JSON.stringify(packageManifest(), undefined, 2));
  write(folder, 'README.md', readme);
  write(folder, 'THIRD-PARTY-NOTICES.txt', noticesOf());
  write(folder, 'sbom.json', JSON.stringify(billOfMaterials()));
}

/** The main file of every other app that is a program. */
function programMains() {
  const apps = readdirSync(join(rootFolder, 'apps')).map((name) => `apps/${name}/src/main.ts`);
  return apps.filter((main) => main !== commandMain && existsSync(join(rootFolder, main)));
}

async function bundleInto(
  /** @type {string} */ folder,
  /** @type {readonly string[]} */ entries,
  /** @type {string} */ chunks,
) {
  await build({
    root: rootFolder,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [ownPlaces],
    ssr: { target: 'node', noExternal: true, external: ['pg-native'] },
    build: {
      ssr: true,
      target: 'node20',
      outDir: folder,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [builtPlace(entry), join(rootFolder, entry)])),
        output: {
          entryFileNames: '[name]',
          chunkFileNames: `${chunks}/[name]-[hash].js`,
          comments: false,
        },
      },
    },
  });
}

/** The path of a source file in an unbundled build. */
function builtPlace(/** @type {string} */ source) {
  return source.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
}

/** Gives each of our modules its URL in an unbundled build, wherever the bundle puts it. */
const ownPlaces = {
  name: 'own-places',
  enforce: /** @type {const} */ ('pre'),
  // From the sources: the built files may be of another version.
  resolveId(/** @type {string} */ id) {
    const [, library, file = 'index'] = /^@shiplog\/([\w-]+)(?:\/(.+))?$/.exec(id) ?? [];
    return library ? join(rootFolder, 'libs', library, 'src', `${file}.ts`) : undefined;
  },
  transform(/** @type {string} */ code, /** @type {string} */ id) {
    const place = relative(rootFolder, id);
    if (!/^(?:apps|libs)\//.test(place) || !code.includes('import.meta.url')) return undefined;
    const url = `new URL(${JSON.stringify(`${toRoot}${builtPlace(place)}`)}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', url), map: null };
  },
};

function write(/** @type {string} */ folder, /** @type {string} */ name, /** @type {string} */ text) {
  writeFileSync(join(folder, name), text.endsWith('\n') ? text : `${text}\n`);
}

const readme = `# Shiplog

The live log of what is deployed where, with a board to look at.

    npx shiplog demo     # everything with example data; ends with Ctrl-C
    npx shiplog serve    # the service, with its own PostgreSQL in ./data
    npx shiplog --help   # everything else

Settings are in docs/settings.md, the command is in docs/command.md, and docs/operations.md is about production.

Needs Node 20.19 or newer. PostgreSQL comes along for Linux and macOS; elsewhere set DATABASE_URL.
`;
