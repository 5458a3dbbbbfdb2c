import { testDatabase } from '@shiplog/testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textArray } from '../src/db/append-deployments.ts';
import { withClient } from '../src/db/connection.ts';

/** Storable text: no U+0000, no lone surrogates. */
const text = fc.string({ unit: 'binary' }).map((any) => any.replaceAll('\0', ''));
const sentence = fc.constantFrom('', '{}', '{NULL}', 'NULL', '"', '\\', ',', 'é', '\u{1f6a2}'.repeat(300));

test('PostgreSQL reads a list of strings unchanged', async () => {
  const { url } = await testDatabase();
  await withClient({ connectionString: url }, { answerMs: 5000, signal: undefined }, async (client) => {
    const lists = fc.array(fc.oneof(text, sentence, fc.constant(undefined)), { maxLength: 20 });
    const read = async (list: readonly (string | undefined)[]) => {
      const { rows } = await client.query('select to_json($1::text[]) as list', [textArray(list)]);
      return rows[0].list;
    };
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        expect(await read(list)).toEqual(list.map((text) => text ?? null));
      }),
    );
  });
});
