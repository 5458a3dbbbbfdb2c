import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fileBytes } from '../src/transfer/file-bytes.ts';
import { type FileRow, rowsOf } from '../src/transfer/file-rows.ts';
import { rowRules } from '../src/transfer/row-rules.ts';

/** Returns the rows of a text that arrives in pieces of this many bytes. */
async function read(text: string | Buffer, pieceBytes = 1_000_000): Promise<FileRow[]> {
  const bytes = Buffer.from(text);
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  })();
  const rows: FileRow[] = [];
  for await (const row of rowsOf(fileBytes('-', pieces))) rows.push(row);
  return rows;
}

const told = (rows: readonly FileRow[]) =>
  rows.map((row) => ('value' in row ? [row.line, row.value] : [row.line, ...row.faults.map(({ message }) => message)]));

describe.each([1, 2, 7, 1_000_000])('reading rows in pieces of %i bytes', (pieceBytes) => {
  const rows = async (text: string | Buffer) => told(await read(text, pieceBytes));

  test('NDJSON has one row per non-empty line', async () => {
    expect(await rows('{"a":1}\n\n  {"a":"\u2028"}\r\n{"a":3}')).toEqual([
      [1, { a: 1 }],
      [3, { a: '\u2028' }],
      [4, { a: 3 }],
    ]);
  });

  test('a JSON array has one row per item, with the line on which it starts', async () => {
    const items = ['{"a":"],[}\\"{\\\\"}', '\n\n{"a":{"b":[1,\n2]}}', '{"a":2}'];
    expect(await rows(`\n[${items.join(' ,')}]\n`)).toEqual([
      [2, { a: '],[}"{\\' }],
      [4, { a: { b: [1, 2] } }],
      [5, { a: 2 }],
    ]);
    expect(await rows(' [ ] ')).toEqual([]);
  });

  test('CSV has one row per record, with the line on which it starts and without empty cells', async () => {
    const text = '\ufeffa, b ,c\r\n1,"two\nlines",""\n\n"=1+1",x,"say ""hi"", then"\n';
    expect(await rows(text)).toEqual([
      [2, { a: '1', b: 'two\nlines' }],
      [5, { a: '=1+1', b: 'x', c: 'say "hi", then' }],
    ]);
  });

  test('CSV may have semicolons and any line endings', async () => {
    const expected = [
      [2, { 'a;,,,': '1,5', b: 'x' }],
      [3, { 'a;,,,': '2', b: 'y\nz' }],
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      expect(await rows(['"a;,,,";b', '1,5;x', '2;"y\nz"', ''].join(end))).toEqual(expected);
    }
  });

  test('each format may be compressed with gzip', async () => {
    expect(await rows(gzipSync('{"a":1}'))).toEqual([[1, { a: 1 }]]);
    expect(await rows(gzipSync('a\n1'))).toEqual([[2, { a: '1' }]]);
  });

  test.each<[string, string | Buffer, unknown[]]>([
    [
      'a line that is not JSON',
      '{"a":1}\n{"a":\n{"a":2}',
      [
        [1, { a: 1 }],
        [2, 'is not valid JSON'],
        [3, { a: 2 }],
      ],
    ],
    [
      'a value that is not an object',
      '[[1],null]',
      [
        [1, 'must be a JSON object'],
        [1, 'must be a JSON object'],
      ],
    ],
    [
      'an array that does not end',
      '[{"a":1},\n',
      [
        [1, { a: 1 }],
        [2, 'is not a JSON array from here on'],
      ],
    ],
    [
      'an array that is followed by text',
      '[{"a":1}]\nx',
      [
        [1, { a: 1 }],
        [2, 'is not a JSON array from here on'],
      ],
    ],
    [
      'an array with an empty item',
      '[{"a":1},,]',
      [
        [1, { a: 1 }],
        [1, 'is not a JSON array from here on'],
      ],
    ],
    [
      'a row with too few cells',
      'a,b\n1\n2,3',
      [
        [2, 'has 1 cells, but the header has 2'],
        [3, { a: '2', b: '3' }],
      ],
    ],
    ['a column that occurs twice', 'a,a\n1,2', [[1, 'appears twice in the header']]],
    [
      'a quote inside a cell',
      'a\nx"y\n',
      [[2, 'cannot be read as CSV: unexpected quote; double it inside a quoted cell']],
    ],
    ['a quote that is not closed', 'a\n"x\n', [[2, 'cannot be read as CSV: a quote is not closed']]],
    ['another encoding', Buffer.from('a\n\xe9\n', 'latin1'), [[2, 'is not UTF-8; save the file as UTF-8']]],
    [
      'JSON in another encoding',
      Buffer.from('{"a":"\xe9"}\n{"a":1}', 'latin1'),
      [
        [1, 'is not UTF-8; save the file as UTF-8'],
        [2, { a: 1 }],
      ],
    ],
  ])('reports %s as a fault with its line', async (_what, text, expected) => {
    expect(await rows(text)).toEqual(expected);
  });
});

test('reports a line that is longer than any event as a fault, without buffering it', async () => {
  const rows = told(await read(`{"a":"${'x'.repeat(300_000)}"}\n{"a":1}`, 1000));
  expect(rows).toEqual([
    [1, 'is longer than an event can be'],
    [2, { a: 1 }],
  ]);
});

test('truncated gzip is reported', async () => {
  const whole = gzipSync('{"a":1}\n'.repeat(1000));
  await expect(read(whole.subarray(0, whole.length - 9))).rejects.toThrow('- is damaged or truncated gzip');
});

describe('the event of a row', () => {
  const least = {
    deployment_id: 'd',
    service: 's',
    environment: 'e',
    status: 'success',
    happened_at: '2026-05-04T09:12:02Z',
  };

  test('a row of an export becomes the original event', () => {
    const exported = { id: 'x', ...least, version: null, parent_deployments: [], progress_reporter: 'a/b' };
    expect(rowRules({})(exported)).toEqual({
      row: { event: { ...least, parent_deployments: [] }, reporter: 'a/b' },
    });
  });

  test('a row is validated completely, by the rules of ingest and of the reporter header', () => {
    const bad = { ...least, service: '', status: 'done', colour: 'red', progress_reporter: 'A', run_number: 7 };
    const judged = rowRules({})(bad);
    expect('faults' in judged && judged.faults.map(({ pointer, message }) => `${pointer}: ${message}`).sort()).toEqual([
      '/colour: is not a known field',
      '/progress_reporter: must match ^[a-z0-9][a-z0-9./-]{0,127}$',
      '/run_number: must be a string, so put the number in quotes',
      '/service: must not be empty',
      '/status: must be one of pending, queued, waiting, in-progress, success, failure, cancelled, rejected',
    ]);
  });

  test('a row gets fields from other columns and from --set', () => {
    const { service: _service, environment: _environment, ...rest } = least;
    const rules = rowRules({ map: ['service=app', 'version=release=name'], set: ['environment=prod=eu'] });
    expect(rules({ ...rest, app: 'pay', 'release=name': '1', environment: 'dev' })).toEqual({
      row: { event: { ...least, service: 'pay', version: '1', environment: 'prod=eu' }, reporter: '' },
    });
    expect(rules(rest)).toEqual({ faults: [{ pointer: '/service', message: 'is required' }] });
  });

  test('a row lists its parents separated by semicolons or as JSON', () => {
    const parents = (text: string) => {
      const judged = rowRules({ set: [`parent_deployments=${text}`] })(least);
      return 'row' in judged ? judged.row.event.parent_deployments : judged.faults;
    };
    expect(parents('a; b')).toEqual(['a', 'b']);
    expect(parents('["a;b"]')).toEqual(['a;b']);
    expect(parents('a;a')).toEqual([
      { pointer: '/parent_deployments', message: 'must not contain duplicates (items 1 and 0 are equal)' },
    ]);
  });

  test.each(['colour=red', 'service', '=x'])('the rule %j is refused', (pair) => {
    expect(() => rowRules({ set: [pair] })).toThrow(`--set ${JSON.stringify(pair)} doesn't name an event field`);
    expect(() => rowRules({ map: [pair] })).toThrow('--map');
  });
});
