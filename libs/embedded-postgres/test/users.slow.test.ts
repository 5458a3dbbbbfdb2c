import { chmod, chown, mkdir, readdir, readFile, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileFolder } from '@shiplog/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { runsAsRoot } from '../src/account.ts';
import { missingLinks } from '../src/installation.ts';
import { shortHash } from '../src/place.ts';
import { closedFolder } from '../src/reach.ts';
import { rowsOf } from './support/database.ts';
import { cloneTo } from './support/folders.ts';
import { type Lines, spawnService } from './support/service.ts';

const inFolder = fileFolder();
const nobody = { uid: 65_534, gid: 65_534 };
const nodeIsOpen = (await closedFolder(process.execPath, { ...nobody, name: 'nobody' })) === undefined;

async function runOnce(
  ...args: Parameters<typeof spawnService>
): Promise<Lines & { one?: unknown[]; status?: string }> {
  const service = spawnService(...args);
  const lines = await service.until('started', 'refused');
  const { started } = lines;
  const status = started && (await readFile(`/proc/${started.pid}/status`, 'utf8').catch(() => ''));
  const one = started && (await rowsOf(started.connection, 'SELECT 1 AS one'));
  await service.end();
  return { ...lines, ...(one && { one }), ...(status && { status }) };
}

describe.runIf(runsAsRoot())('as root', () => {
  let clone: Awaited<ReturnType<typeof cloneTo>>;
  let home = '';

  beforeAll(async () => {
    home = inFolder('home-of-root');
    clone = await cloneTo(home);
    await chmod(home, 0o700);
  });

  test('a clone in an inaccessible home directory runs from a copy, with the cluster next to the copy', async () => {
    const rootDir = inFolder('var/lib/shiplog');
    const options = { dataDir: join(home, 'my data'), rootDir, umask: 0o077 };
    const first = await runOnce(options, { script: clone.script });
    expect(first.refused).toBeUndefined();
    expect(first.one).toEqual([{ one: 1 }]);
    expect(dirname(first.started?.dataDir ?? '')).toBe(rootDir);
    expect((await readdir(rootDir)).sort()).toEqual([
      expect.stringMatching(/^my-data-[0-9a-f]{12}$/),
      expect.stringMatching(/^postgres-18\.[^/]*-\w+-\w+$/),
    ]);
    expect(await readdir(home)).not.toContain('my data');
    const second = await runOnce(options, { script: clone.script });
    expect(second.started?.dataDir).toBe(first.started?.dataDir);
  });

  test('two concurrent first starts from an inaccessible home directory share one copy', async () => {
    const rootDir = inFolder('shared-copy');
    const options = ['one', 'two'].map((name) => ({ dataDir: join(home, name), rootDir }));
    const answers = await Promise.all(options.map((each) => runOnce(each, { script: clone.script })));
    expect(answers.map((answer) => answer.one)).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    expect((await readdir(rootDir)).filter((name) => name.startsWith('postgres-'))).toHaveLength(1);
  });

  test('the server runs as another user, without the groups of root', async () => {
    const { started, status } = await runOnce({ dataDir: inFolder('dropped') });
    const { uid } = await stat(started?.dataDir ?? '');
    expect(uid).not.toBe(0);
    expect(status).toMatch(new RegExp(`^Uid:\\s+${uid}\\s+${uid}\\s+${uid}`, 'm'));
    expect(status).toMatch(/^Groups:\s*$/m);
    expect(status).toMatch(/^CapEff:\s+0+$/m);
  });

  test('a socket folder that another user created first is not used', async () => {
    const dataDir = inFolder('squatted');
    const squatted = join(tmpdir(), `shiplog-${shortHash(dataDir)}`);
    await mkdir(squatted);
    await chown(squatted, 54_321, 54_321);
    const { started, one } = await runOnce({ dataDir });
    expect(await readdir(squatted)).toEqual([]);
    await rmdir(squatted);
    expect(one).toEqual([{ one: 1 }]);
    expect(started?.connection.host).toMatch(new RegExp(`^${squatted}-\\w{6}$`));
  });

  test('parent folders of the data directory are accessible to all users despite the umask', async () => {
    const dataDir = inFolder('deep/er/data');
    const { started } = await runOnce({ dataDir, umask: 0o077 });
    expect(started?.dataDir).toBe(dataDir);
    expect((await stat(dirname(dataDir))).mode & 0o777).toBe(0o755);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  test('the server runs as the owner of the cluster', async () => {
    const dataDir = inFolder('of-nobody');
    await mkdir(dataDir);
    await chown(dataDir, nobody.uid, nobody.gid);
    const { status } = await runOnce({ dataDir });
    expect(status).toMatch(/^Uid:\s+65534\s/m);
  });

  test("a start refuses a cluster that became inaccessible and doesn't create an empty one", async () => {
    const parent = inFolder('closing');
    await runOnce({ dataDir: join(parent, 'data') });
    await chmod(parent, 0o700);
    const { refused } = await runOnce({ dataDir: join(parent, 'data'), rootDir: inFolder('unused') });
    expect(refused?.message).toContain(`who can't enter the folder ${parent}. Open that folder with chmod o+x`);
  });

  test('a cluster in the fallback folder stays there when the requested folder becomes accessible', async () => {
    const parent = inFolder('opening');
    await mkdir(parent, { mode: 0o700 });
    const options = { dataDir: join(parent, 'data'), rootDir: inFolder('fallback') };
    const closed = await runOnce(options);
    await chmod(parent, 0o755);
    const open = await runOnce(options);
    expect(open.started?.dataDir).toBe(closed.started?.dataDir);
    expect(dirname(open.started?.dataDir ?? '')).toBe(inFolder('fallback'));
  });

  test('the server runs as a known user if the empty data directory belongs to an unknown user', async () => {
    const dataDir = inFolder('of-a-number');
    await mkdir(dataDir);
    await chown(dataDir, 54_321, 54_321);
    const { one } = await runOnce({ dataDir });
    expect(one).toEqual([{ one: 1 }]);
  });
});

describe.runIf(runsAsRoot() && nodeIsOpen)('as user nobody (only if run as root, and nobody can run node)', () => {
  let clone: Awaited<ReturnType<typeof cloneTo>>;

  beforeAll(async () => {
    clone = await cloneTo(inFolder('clone'));
    await mkdir(inFolder('of-nobody-2'), { recursive: true });
    await chown(inFolder('of-nobody-2'), nobody.uid, nobody.gid);
  });

  test('an ordinary user can run a database', async () => {
    const dataDir = join(inFolder('of-nobody-2'), 'data');
    const { started, one, status } = await runOnce({ dataDir, umask: 0o077 }, { script: clone.script, ...nobody });
    expect(one).toEqual([{ one: 1 }]);
    expect(started?.dataDir).toBe(dataDir);
    expect(status).toMatch(/^Uid:\s+65534\s/m);
  });

  test("a folder that the user can't write to is refused", async () => {
    const { refused } = await runOnce({ dataDir: inFolder('not-yours') }, { script: clone.script, ...nobody });
    expect(refused).toEqual({
      name: 'DatabaseStartError',
      message: expect.stringMatching(
        /^The embedded database can't use .*not-yours \(EACCES: .*\): make the folder writable/,
      ),
    });
  });

  test("another user's data directory is refused with the user's name", async () => {
    const dataDir = inFolder('of-root-2');
    await mkdir(dataDir, { mode: 0o700 });
    const { refused } = await runOnce({ dataDir }, { script: clone.script, ...nobody });
    expect(refused?.message).toContain('belongs to user root, but this program runs as nobody. Start it as root, or');
  });

  test('a uid without a name is refused with the missing passwd entry', async () => {
    const stranger = { uid: 54_321, gid: 54_321 };
    const folder = inFolder('of-stranger');
    await mkdir(folder);
    await chown(folder, stranger.uid, stranger.gid);
    const { refused } = await runOnce({ dataDir: join(folder, 'data') }, { script: clone.script, ...stranger });
    expect(refused?.message).toContain('as uid 54321, which has no entry in /etc/passwd. Add one, or set DATABASE_URL');
  });

  test.each(['cannot write to', 'can write to'])(
    'the server starts without library links in a package that the user %s',
    async (how) => {
      const { native, script } = await cloneTo(inFolder(`unlinked ${how}`));
      for (const name of await linksIn(native)) await unlink(join(native, name));
      const before = (await missingLinks(native)).length;
      if (how === 'can write to') await chown(join(native, 'lib'), nobody.uid, nobody.gid);
      const dataDir = join(inFolder('of-nobody-2'), how);
      const { one } = await runOnce({ dataDir }, { script, ...nobody });
      expect(one).toEqual([{ one: 1 }]);
      expect(before).toBeGreaterThan(0);
      expect((await missingLinks(native)).length).toBe(how === 'can write to' ? 0 : before);
      await rm(inFolder(`unlinked ${how}`), { recursive: true });
    },
  );
});

async function linksIn(native: string): Promise<string[]> {
  const list: { target: string }[] = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'));
  return list.map(({ target }) => target.replace(/^native\//, ''));
}
