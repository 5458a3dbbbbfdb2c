import { expect, test } from 'vitest';
import { parseAccessFile } from '../src/access-file.ts';
import { type KeyEntry, keyEntryText, withKey } from '../src/add-key.ts';

const entry: KeyEntry = {
  ...{ id: 'k7f3q2xa', name: 'jenkins: #1', sha256: '5f2c'.repeat(16), expires: '2027-06-30' },
  may: { post: { services: ['pay-*'], environments: ['*'] }, read: true },
};
const other = `{ id: other000, name: other, sha256: "${'a'.repeat(64)}", may: { read: true } }`;
const parse = (text: string) =>
  parseAccessFile(text, 'access.yaml', { hasCatalog: true, publicUrl: 'https://x.example' });
const [added] = parse(`keys:\n${keyEntryText(entry)}`).keys;

test('an entry has its members in the order of the specification', () => {
  expect(keyEntryText(entry)).toBe(
    [
      '  - id: k7f3q2xa',
      '    name: "jenkins: #1"',
      `    sha256: ${'5f2c'.repeat(16)}`,
      '    expires: 2027-06-30',
      '    may:',
      '      post:',
      '        services:',
      '          - pay-*',
      '        environments:',
      '          - "*"',
      '      read: true',
      '',
    ].join('\n'),
  );
  expect(added).toMatchObject({ id: 'k7f3q2xa', name: 'jenkins: #1', expires: Date.UTC(2027, 5, 30) });
});

const issuers = 'issuers:\n  - { name: github, kind: github } # ours\n';

test.each<[string, string]>([
  ['no keys', `# before\n${issuers}# after\n`],
  ['no keys and no line break at the end', issuers.trimEnd()],
  ['an empty object', '{}'],
  ['an empty object with a comment', '# all is default\n{ } # yes\n'],
  ['a list in the middle', `# top\nkeys: # all\n  # the first\n  - ${other} # mine\n  # about issuers\n${issuers}`],
  ['a list without indentation', `keys:\n- ${other}\n${issuers}`],
  ['a list at the end', `${issuers}keys:\n    - ${other}`],
  ['a list at the end with comments', `${issuers}keys:\n    - ${other}\n\n# the end\n`],
  [
    'a list in block style',
    `keys:\n  - id: other000\n    name: other\n    sha256: "${'a'.repeat(64)}"\n    may:\n      read: true # only\n\n${issuers}`,
  ],
  ['a list in flow style', `keys: [${other}] # flow\n${issuers}`],
  ['a list in flow style with a comma at its end', `keys: [\n  ${other}, # mine\n]\n${issuers}`],
  [
    'JSON',
    `{"shared_key": "off", "keys": [${other
      .replace(/(\w+): (?=[\w"{])/g, '"$1": ')
      .replace('other000', '"other000"')
      .replace(': other,', ': "other",')}]}`,
  ],
  ['JSON without keys', '{\n  "shared_key": "off"\n}\n'],
  ['Windows line breaks', `shared_key: off\r\n${issuers.replaceAll('\n', '\r\n')}`],
  ['a document with its marks', `---\n${issuers}...\n`],
])('a key is added to a file with %s', (_, text) => {
  const before = parse(text);
  const result = withKey(text, entry) ?? '';
  expect(parse(result)).toEqual({ ...before, keys: [...before.keys, added] });
  for (const comment of text.match(/#.*/g) ?? []) expect(result).toContain(comment);
  // Only the entry is new: without it, the text is unchanged.
  let [at, end] = [0, text.length];
  while (at < text.length && text[at] === result[at]) at += 1;
  while (end > at && text[end - 1] === result[end - 1 + result.length - text.length]) end -= 1;
  expect(end).toBe(at);
});

test("a key can't be added to text that isn't an access file", () => {
  expect(withKey('[]', entry)).toBeUndefined();
  expect(withKey('{', entry)).toBeUndefined();
});
