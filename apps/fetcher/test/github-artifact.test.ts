import { strToU8, type Zippable, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { textOfZip } from '../src/adapters/github/run-reader.ts';
import { Translator } from '../src/adapters/github/translator.ts';
import type { Change } from '../src/change.ts';
import { PlaceRefused, SourcePaused, ToolAway } from '../src/tool/refusals.ts';
import { repo } from './support/github-bodies.ts';
import { scriptedTool } from './support/github-tool.ts';

const { signal } = new AbortController();
const base = `/repos/${repo}/actions`;
const zipped = (files: Zippable) => zipSync(files, { mtime: new Date(2020, 0, 1) });
const text = (content: string) => zipped({ 'version.txt': strToU8(content) });

/** A zip whose header declares this size for its only file. */
function claiming(zip: Uint8Array, bytes: number): Uint8Array {
  const claimed = zip.slice();
  const view = new DataView(claimed.buffer);
  for (let at = 0; at < claimed.length - 28; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, bytes, true);
  return claimed;
}

describe('fetcher §9.2: the text of a zip is read or empty', () => {
  const random = Uint8Array.from({ length: 64 * 1024 }, (_, index) => 97 + ((index * index * 7919) % 26));

  test.each<[string, Uint8Array, string]>([
    ['one file, trimmed', text(' v1.2.3\r\n'), 'v1.2.3'],
    ['one file in a folder', zipped({ dist: { 'version.txt': strToU8('v1') } }), 'v1'],
    ['one uncompressed file', zipSync({ a: [strToU8('v1'), { level: 0 }] }), 'v1'],
    ['characters beyond ASCII', text('vß'), 'vß'],
    ['of 64 KiB', zipped({ a: random }), new TextDecoder().decode(random)],
    ['more than 64 KiB', text('a'.repeat(64 * 1024 + 1)), ''],
    ['a declared size that is too small', claiming(text('a'.repeat(50_000_000)), 10), ''],
    ['a declared size that is too large', claiming(text('a'), 0xffffffff), ''],
    ['two files', zipped({ a: strToU8('1'), b: strToU8('2') }), ''],
    ['no file', zipped({}), ''],
    ['only a folder', zipped({ dist: {} }), ''],
    ['invalid UTF-8', zipped({ a: Uint8Array.of(0xff, 0xfe) }), ''],
    ['a truncated zip', text('v1').slice(0, -30), ''],
    ['data that is not a zip', strToU8('v1'), ''],
    ['empty data', new Uint8Array(), ''],
  ])('%s', (_, bytes, expected) => {
    expect(textOfZip(bytes)).toBe(expected);
  });
});

describe('the artifact of a run', () => {
  const change: Change = {
    ...{
      id: 'gh-deploy-101',
      order: 1,
      status: 'success',
      at: '2026-05-04T08:05:00Z',
      identity: 'instant',
      parents: [],
    },
    vars: { repo, run_id: '11' },
  };
  const listPath = `${base}/runs/11/artifacts?per_page=100`;
  const zipPath = (id: number) => `${base}/artifacts/${id}/zip`;
  const answers = (...rows: object[]) => ({
    [listPath]: { artifacts: rows.map((row) => ({ id: 5, name: 'version', expired: false, ...row })) } as unknown,
    [zipPath(5)]: text('v5') as unknown,
    [zipPath(6)]: text('v6') as unknown,
  });
  const translatorOf = (said: Record<string, unknown>) => {
    const tool = scriptedTool(said);
    const translator = new Translator(tool, { adapter: 'github-actions' });
    return { tool, artifact: (of = change, name = 'version') => translator.artifact(of, name, signal) };
  };

  test.each<[string, object[], string]>([
    ['selected by its name', [{}, { id: 6, name: 'other' }], 'v5'],
    ['the newest with its name', [{}, { id: 6 }], 'v6'],
    ['not expired', [{}, { id: 6, expired: true }], 'v5'],
    ['none with the name', [{ name: 'Version' }], ''],
    ['no artifacts at all', [], ''],
  ])('is read: %s', async (_, rows, expected) => {
    expect(await translatorOf(answers(...rows)).artifact()).toBe(expected);
  });

  test('is downloaded once, but the artifacts are listed each time', async () => {
    const { tool, artifact } = translatorOf(answers({}));
    await artifact();
    expect(await artifact()).toBe('v5');
    expect(tool.asked).toEqual([listPath, zipPath(5), listPath]);
  });

  test.each([{}, { run_id: '' }, { run_id: '9'.repeat(20) }])('is empty without a run: %o', async (vars) => {
    const { tool, artifact } = translatorOf(answers({}));
    expect(await artifact({ ...change, vars: { repo, ...vars } as Change['vars'] })).toBe('');
    expect(tool.asked).toEqual([]);
  });

  test.each([listPath, zipPath(5)])('counts as empty if it no longer exists: %s', async (path) => {
    expect(await translatorOf({ ...answers({}), [path]: new PlaceRefused('Gone', 410) }).artifact()).toBe('');
  });

  test('counts as absent after two failed attempts', async () => {
    const { artifact } = translatorOf({ ...answers({}), [zipPath(5)]: new ToolAway('502') });
    await expect(artifact()).rejects.toThrow(ToolAway);
    await expect(artifact()).rejects.toThrow(ToolAway);
    expect(await artifact()).toBe('');
  });

  test('pauses the whole source at a rate limit', async () => {
    await expect(translatorOf({ [listPath]: new SourcePaused('no budget', 5) }).artifact()).rejects.toThrow(
      SourcePaused,
    );
  });
});
