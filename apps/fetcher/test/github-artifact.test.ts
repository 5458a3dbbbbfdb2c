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

/** A zip that says of its only file that it has so many bytes. */
function claiming(zip: Uint8Array, bytes: number): Uint8Array {
  const claimed = zip.slice();
  const view = new DataView(claimed.buffer);
  for (let at = 0; at < claimed.length - 28; at += 1)
    if (view.getUint32(at, true) === 0x02014b50) view.setUint32(at + 24, bytes, true);
  return claimed;
}

describe('fetcher §9.2: the text of a zip', () => {
  const random = Uint8Array.from({ length: 64 * 1024 }, (_, index) => 97 + ((index * index * 7919) % 26));

  test.each<[string, Uint8Array, string]>([
    ['of its one file, trimmed', text(' v1.2.3\r\n'), 'v1.2.3'],
    ['beside a folder', zipped({ dist: { 'version.txt': strToU8('v1') } }), 'v1'],
    ['stored as it is', zipSync({ a: [strToU8('v1'), { level: 0 }] }), 'v1'],
    ['with signs beyond ASCII', text('vß'), 'vß'],
    ['of 64 KiB', zipped({ a: random }), new TextDecoder().decode(random)],
    ['of more', text('a'.repeat(64 * 1024 + 1)), ''],
    ['of a file that says to be smaller', claiming(text('a'.repeat(50_000_000)), 10), ''],
    ['of a file that says to be larger', claiming(text('a'), 0xffffffff), ''],
    ['of two files', zipped({ a: strToU8('1'), b: strToU8('2') }), ''],
    ['of no file', zipped({}), ''],
    ['of a folder alone', zipped({ dist: {} }), ''],
    ['that is no UTF-8', zipped({ a: Uint8Array.of(0xff, 0xfe) }), ''],
    ['that is cut', text('v1').slice(0, -30), ''],
    ['that is none', strToU8('v1'), ''],
    ['that is empty', new Uint8Array(), ''],
  ])('%s', (_, bytes, expected) => {
    expect(textOfZip(bytes)).toBe(expected);
  });
});

describe('the artifact of the run of a change', () => {
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
    ['by its name', [{}, { id: 6, name: 'other' }], 'v5'],
    ['the newest of its name', [{}, { id: 6 }], 'v6'],
    ['that is not over', [{}, { id: 6, expired: true }], 'v5'],
    ['none of the name', [{ name: 'Version' }], ''],
    ['none at all', [], ''],
  ])('is read: %s', async (_, rows, expected) => {
    expect(await translatorOf(answers(...rows)).artifact()).toBe(expected);
  });

  test('is downloaded once and listed each time', async () => {
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

  test.each([listPath, zipPath(5)])('that is gone is empty: %s', async (path) => {
    expect(await translatorOf({ ...answers({}), [path]: new PlaceRefused('Gone', 410) }).artifact()).toBe('');
  });

  test('fails twice and then counts as absent', async () => {
    const { artifact } = translatorOf({ ...answers({}), [zipPath(5)]: new ToolAway('502') });
    await expect(artifact()).rejects.toThrow(ToolAway);
    await expect(artifact()).rejects.toThrow(ToolAway);
    expect(await artifact()).toBe('');
  });

  test('pauses the whole source', async () => {
    await expect(translatorOf({ [listPath]: new SourcePaused('no budget', 5) }).artifact()).rejects.toThrow(
      SourcePaused,
    );
  });
});
