import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseAccessFile } from '../src/access-file.ts';

const page = readFileSync(new URL('../../../docs/access.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)].map(([, indent = '', text = '']) =>
  text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);

test('docs/access.md has examples, and each is a valid access file', () => {
  expect(examples.length).toBeGreaterThan(3);
  for (const text of examples) {
    const context = { hasCatalog: true, publicUrl: 'https://shiplog.example.com' };
    expect(() => parseAccessFile(text, 'docs/access.md', context)).not.toThrow();
  }
});
