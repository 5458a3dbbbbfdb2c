import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keyDigest, parseAccessFile, parseKey } from '@shiplog/access';
import { testFolder } from '@shiplog/testing';
import { describe, expect, test } from 'vitest';
import { call } from './support/call.ts';

const context = { hasCatalog: true, publicUrl: 'https://shiplog.example' };
const parse = (text: string) => parseAccessFile(text, 'access.yaml', context);
const scope = ['--service', 'pay-*', 'ledger', '--environment', 'dev', '--environment', 'staging'];

async function fileOf(text: string): Promise<string> {
  const path = join(await testFolder(), 'access.yaml');
  writeFileSync(path, text);
  return path;
}

test('key new prints the key alone on standard output, and its entry on standard error', async () => {
  const { code, out, err } = await call(['key', 'new', '--name', 'jenkins', ...scope]);
  expect(code).toBe(0);
  const key = out.trimEnd();
  expect(out).toBe(`${key}\n`);
  const id = parseKey(key)?.id ?? '';
  expect(id).toHaveLength(8);
  expect(err).not.toContain(key);
  const [, ...entry] = err.split('\n');
  expect(parse(`keys:\n${entry.join('\n')}`).keys).toEqual([
    {
      ...{ id, name: 'jenkins', sha256: keyDigest(key), expires: undefined },
      may: {
        post: { services: ['pay-*', 'ledger'], environments: ['dev', 'staging'] },
        ...{ hold: null, report: [], state: [], outage: false, read: false, control: false },
      },
    },
  ]);
});

test('the entry is printed even with --quiet, because it is shown nowhere else', async () => {
  const { out, err } = await call(['--quiet', 'key', 'new', '--name', 'wall', '--read']);
  expect(out).toMatch(/^shl_\w{8}_[\w-]{49}\n$/);
  expect(err).toContain('read: true');
});

describe('key new --file', () => {
  const before = '# reviewed by all\nshared_key: off # since May\n';

  test('adds the entry in place; comments, mode and symlink stay', async () => {
    const path = await fileOf(before);
    chmodSync(path, 0o640);
    const link = join(await testFolder(), 'link.yaml');
    symlinkSync(path, link);
    const rights = ['--read', '--control', '--report', 'fetcher-*', '--report', 'relay', '--state', 'github-*'];
    const { code, out, err } = await call(['key', 'new', '--name', 'fetcher', ...rights, '--file', link]);
    expect(code).toBe(0);
    const text = readFileSync(path, 'utf8');
    expect(text.startsWith(before)).toBe(true);
    expect(parse(text)).toMatchObject({
      sharedKey: false,
      keys: [
        {
          ...{ name: 'fetcher', sha256: keyDigest(out.trimEnd()) },
          may: { post: null, report: ['fetcher-*', 'relay'], state: ['github-*'], read: true, control: true },
        },
      ],
    });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(err).not.toContain(out.trimEnd());
    expect(readdirSync(join(path, '..'))).toEqual(['access.yaml']);
    await call(['key', 'new', '--name', 'second', '--read', '--file', link]);
    expect(parse(readFileSync(path, 'utf8')).keys.map(({ name }) => name)).toEqual(['fetcher', 'second']);
  });

  test.each([
    ['faults', 'shared_key: maybe\n', 'line 1, column 13: shared_key must be on or off.'],
    ['a list of keys that is an alias', 'keys: *all\n', 'line 1'],
    ['other content', '[]\n', 'must be an object'],
  ])('refuses a file with %s, and leaves it unchanged', async (_, text, sentence) => {
    const path = await fileOf(text);
    const { code, out, err } = await call(['key', 'new', '--name', 'a', '--read', '--file', path]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(sentence);
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('refuses a file that is missing or too large', async () => {
    const missing = await call(['key', 'new', '--name', 'a', '--read', '--file', '/nowhere/access.yaml']);
    expect(missing).toEqual({ code: 2, out: '', err: "Can't read /nowhere/access.yaml (ENOENT).\n" });
    const large = await fileOf(`#${'x'.repeat(1024 * 1024)}\n`);
    expect(await call(['key', 'new', '--name', 'a', '--read', '--file', large])).toMatchObject({
      ...{ code: 2, out: '', err: expect.stringContaining('more than 1024 KiB') },
    });
  });
});

describe('the expiry of a key', () => {
  const clock = { now: () => new Date('2026-11-27T12:00:00.5Z'), sleep: async () => undefined };
  const expiryOf = async (text: string) => {
    const { code, err } = await call(['key', 'new', '--name', 'a', '--read', '--expires', text], { clock });
    return code === 0 ? /expires: (.+)/.exec(err)?.[1]?.replaceAll('"', '') : err;
  };

  test.each([
    ['90d', '2027-02-25T12:00:00Z'],
    ['12h', '2026-11-28T00:00:00Z'],
    ['2027-06-30', '2027-06-30'],
    ['2027-06-30T12:00:00+02:00', '2027-06-30T12:00:00+02:00'],
  ])('--expires %s is %s in the file', async (text, expected) => expect(await expiryOf(text)).toBe(expected));

  test.each([
    ['soon', 'must be an age such as 90d'],
    ['2027-02-30', 'must be an age'],
    ['2026-11-27', 'is in the past'],
    ['0d', 'is in the past'],
  ])('--expires %s is refused', async (text, sentence) => expect(await expiryOf(text)).toContain(sentence));
});

test.each([
  [[], '--name is required'],
  [['--name', 'a'], 'The key may do nothing'],
  [['--name', 'a', '--service', 'x'], 'Give --service and --environment together'],
  [['--name', 'a', '--environment', 'x'], 'Give --service and --environment together'],
  [['--name', 'n'.repeat(65), '--read'], '1 to 64 characters'],
  [['--name', 'a', '--report', ''], 'is empty'],
  [['--name', 'a', '--state', 'x\\'], 'bare backslash'],
])('key new %j is a usage error', async (args, sentence) => {
  const { code, out, err } = await call(['key', 'new', ...args]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(sentence);
});

test.each([
  [['key'], 'shiplog key needs one of: new.'],
  [['access'], 'shiplog access needs one of: explain, acts.'],
  [['access', 'actz'], 'Unknown command access "actz"'],
  [['access', '--nothing'], 'Unknown command access "--nothing"'],
])('%j lists the available commands', async (args, sentence) => {
  expect(await call(args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
});

test('help lists the commands of a family, and each has its own', async () => {
  expect((await call(['--help'])).out).toContain('access');
  expect((await call(['access', '--help'])).out).toContain('explain');
  expect((await call(['access', 'explain', '--help'])).out).toContain('--catalog <file>');
});
