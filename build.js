import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Builds what is older than its sources: `node build.js [programs] [panels] [dashboard]`, by default all. If everything
 * is up to date, it only reads the dates of the sources and starts neither the compiler nor the bundler.
 */
const root = fileURLToPath(new URL('.', import.meta.url));
/** Modified when the last build of the programs began, so that a source saved during that build counts as newer. */
const stamp = join(root, 'node_modules/.programs-built');

const builds = { programs: buildPrograms, panels: buildPanels, dashboard: buildDashboard };
const [...names] = process.argv.slice(2);
for (const [name, build] of Object.entries(builds)) if (names.length === 0 || names.includes(name)) await build();

function buildPrograms() {
  const startedAt = new Date();
  const projects = projectsOf('tsconfig.build.json');
  const configurations = ['package-lock.json', 'tsconfig.base.json', 'tsconfig.build.json'];
  const sources = [...configurations, ...projects.flatMap((folder) => [`${folder}/tsconfig.json`, `${folder}/src`])];
  const complete = projects.every((folder) => existsSync(join(root, folder, 'dist/.tsbuildinfo')));
  if (complete && newest(sources) <= changedAt(stamp)) return;
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [compiler, '-b', 'tsconfig.build.json'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, '');
  utimesSync(stamp, startedAt, startedAt);
}

async function buildDashboard() {
  const folder = 'apps/dashboard';
  const own = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json'].map((name) => `${folder}/${name}`);
  const libraries = ['contract/src', 'client/src', 'streams/src', 'text/src', 'panels/files'].map(
    (name) => `libs/${name}`,
  );
  if (newest([...own, ...libraries]) <= changedAt(join(root, folder, 'dist/index.html'))) return;
  const { build } = await import('vite');
  await build({ configFile: join(root, folder, 'vite.config.ts'), logLevel: 'warn' });
}

async function buildPanels() {
  for (const app of ['demo-driver', 'mock', 'ci-emulator']) {
    const folder = join('apps', app, 'panel');
    const own = readdirSync(join(root, folder)).filter((name) => name !== 'dist');
    const sources = [...own.map((name) => join(folder, name)), 'libs/panels/files', 'libs/panels/ui', 'libs/text/src'];
    if (newest([...sources, 'libs/panels/vite.config.ts']) <= changedAt(join(root, folder, 'dist/index.html')))
      continue;
    const { build } = await import('vite');
    await build({ configFile: join(root, 'libs/panels/vite.config.ts'), root: join(root, folder), logLevel: 'warn' });
  }
}

/** The folders of the projects that a configuration refers to. */
function projectsOf(/** @type {string} */ configuration) {
  /** @type {{ references: { path: string }[] }} */
  const { references } = JSON.parse(readFileSync(join(root, configuration), 'utf8'));
  return references.map(({ path }) => path);
}

/** The time of the latest change to these files or to files below these folders; removing a file changes its folder. */
function newest(/** @type {string[]} */ places) {
  const paths = places.flatMap((place) => {
    const path = join(root, place);
    if (!statSync(path).isDirectory()) return [path];
    return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))];
  });
  return Math.max(...paths.map(changedAt));
}

function changedAt(/** @type {string} */ file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
