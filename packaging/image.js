import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.js';
import { readJson } from './manifest.js';

/**
 * `node packaging/image.js [--base <image> | --base debian]`: builds the container image `shiplog:<version>` with
 * buildah, and prints its digest last. `debian` builds a base from Debian packages and the running Node.
 */
const place = join(import.meta.dirname, 'dist');
const context = join(place, 'image');
/** The timestamp of every file in the image, so that the same inputs produce the same digest. */
const epoch = '1700000000';
const isolation = ['--isolation', 'chroot'];

if (spawnSync('buildah', ['--version']).error) {
  process.stdout.write('Skipping the image: buildah is not installed.\n');
} else {
  await build();
}

async function build() {
  const { version } = readJson('package.json');
  const [option, given] = process.argv.slice(2);
  if (option !== undefined && (option !== '--base' || given === undefined)) {
    throw new Error('Usage: --base <image>, or --base debian.');
  }
  await prepareContext();
  const base = given === 'debian' ? debianBase() : given;
  const args = ['build', '--format', 'docker', '--timestamp', epoch, '--layers=false', ...isolation, '--pull=missing'];
  const image = `shiplog:${version}`;
  run('buildah', [
    ...args,
    ...(base ? ['--build-arg', `BASE=${base}`] : []),
    ...['--build-arg', `VERSION=${version}`, '--file', join(import.meta.dirname, 'Containerfile')],
    ...['--tag', image, context],
  ]);
  const { digest, bytes } = withoutBuilder(image);
  process.stdout.write(`${image}, ${(bytes / 1e6).toFixed(0)} MB compressed\n${digest}\n`);
}

/**
 * Docker's image format, the only format with health checks, includes the name of the container that built the image.
 * This function removes such differences between two builds and loads the image again.
 */
function withoutBuilder(/** @type {string} */ image) {
  const folder = join(place, 'image-files');
  rmSync(folder, { recursive: true, force: true });
  run('buildah', ['push', '--quiet', '--format', 'v2s2', image, `dir:${folder}`]);
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const { container, container_config, parent, ...config } = JSON.parse(readFileSync(blob(manifest.config), 'utf8'));
  const text = JSON.stringify({ ...config, config: { ...config.config, Hostname: '' } });
  manifest.config = { ...manifest.config, size: Buffer.byteLength(text), digest: `sha256:${sha256(text)}` };
  writeFileSync(blob(manifest.config), text);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
  const id = run('buildah', ['pull', '--quiet', `dir:${folder}`]).trim();
  run('buildah', ['tag', id, image]);
  const sizes = manifest.layers.map((/** @type {{ size: number }} */ { size }) => size);
  return {
    digest: `sha256:${sha256(JSON.stringify(manifest))}`,
    bytes: sizes.reduce((/** @type {number} */ sum, /** @type {number} */ size) => sum + size, 0),
  };

  function blob(/** @type {{ digest: string }} */ { digest }) {
    return join(folder, digest.replace('sha256:', ''));
  }
}

function sha256(/** @type {string} */ text) {
  return createHash('sha256').update(text).digest('hex');
}

/** The package as npm installs it, without npm's installation metadata. */
async function prepareContext() {
  rmSync(context, { recursive: true, force: true });
  mkdirSync(context, { recursive: true });
  const target = join(context, 'package');
  await bundle(target);
  run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-package-lock', '--omit=dev', '--prefix', target]);
  rmSync(join(target, 'node_modules/.package-lock.json'), { force: true });
}

/** Builds a base image of a minimal Debian and this Node. The archive is cached, because it takes half a minute. */
function debianBase() {
  const archive = join(place, 'debian.tar');
  if (!existsSync(archive)) {
    const include = '--include=ca-certificates,libstdc++6,tzdata,util-linux';
    const script =
      '--customize-hook=rm -rf "$1"/var/lib/apt/lists/* "$1"/var/cache/* "$1"/usr/share/doc/* "$1"/usr/share/locale/*';
    run('mmdebstrap', ['--variant=minbase', include, script, 'bookworm', archive], { SOURCE_DATE_EPOCH: epoch });
  }
  const base = 'localhost/shiplog-base';
  const folder = join(place, 'base');
  mkdirSync(folder, { recursive: true });
  cpSync(process.execPath, join(folder, 'node'));
  cpSync(archive, join(folder, 'debian.tar'));
  writeFileSync(
    join(folder, 'Containerfile'),
    'FROM scratch\nADD debian.tar /\nCOPY --chmod=755 node /usr/local/bin/node\n',
  );
  run('buildah', [
    'build',
    '--format',
    'docker',
    '--timestamp',
    epoch,
    '--layers=false',
    ...isolation,
    '--tag',
    base,
    folder,
  ]);
  return base;
}

/** The standard output of a program; its standard error is passed through. */
function run(/** @type {string} */ file, /** @type {readonly string[]} */ args, environment = {}) {
  const env = { ...process.env, ...environment };
  return execFileSync(file, args, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 2], maxBuffer: 1e8 });
}
