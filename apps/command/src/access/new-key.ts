import { randomBytes } from 'node:crypto';
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type KeyEntry, keyDigest, keyEntryText, newKey, parseKey, withKey } from '@shiplog/access';
import { durationMs } from '@shiplog/contract/duration';
import { parseMoment } from '@shiplog/contract/instant';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { accessFileOf, readText } from './read-files.ts';

/** `shiplog key new`: creates a named key and its entry (access.md 2.1, 9.29). */
export async function createKey({ options }: Given, context: Context): Promise<number> {
  const { out } = context;
  const path = options.file as string | undefined;
  const text = path === undefined ? undefined : await readText(path);
  const known = text === undefined || path === undefined ? [] : accessFileOf(text, path).keys.map(({ id }) => id);
  const key = unusedKey(known);
  const entry = entryOf(options, key, context.clock.now());
  if (path !== undefined && text !== undefined) {
    await replaceFile(path, addedTo(text, path, entry));
    out.note(`Added the key ${entry.id} to ${path}. This is the only time that the key is shown:`);
  } else {
    out.warn(`Add this entry to the access file, under "keys". The key itself is not in it:\n${keyEntryText(entry)}`);
  }
  out.line(key);
  return exitCodes.done;
}

/** Ids are random; with many keys in a file, one may be taken. */
function unusedKey(known: readonly string[]): string {
  const key = newKey();
  return known.includes(parseKey(key)?.id ?? '') ? unusedKey(known) : key;
}

/** @throws Failure for options that are invalid in an entry. */
function entryOf(options: Given['options'], key: string, now: Date): KeyEntry {
  const lists = options as Readonly<Record<'service' | 'environment' | 'report' | 'state', string[] | undefined>>;
  const { service: services, environment: environments, report, state } = lists;
  if (typeof options.name !== 'string') throw usageFailure('--name is required: say who uses the key.');
  if (!services !== !environments) throw usageFailure('Give --service and --environment together.');
  const may = {
    ...(services && { post: { services, environments } }),
    ...(report && { report }),
    ...(state && { state }),
    ...(options.read === true && { read: true }),
    ...(options.control === true && { control: true }),
  };
  if (Object.keys(may).length === 0)
    throw usageFailure(
      'The key may do nothing. Give --service and --environment, or --read, --control, --report or --state.',
    );
  const expires = expiryOf(options.expires as string | undefined, now);
  const id = parseKey(key)?.id ?? '';
  const entry = { id, name: options.name, sha256: keyDigest(key), ...(expires && { expires }), may };
  // The rules of the file validate the name and the globs.
  accessFileOf(`keys:\n${keyEntryText(entry)}`, 'the new key');
  return entry;
}

/** A date or a time as given; for an age, the instant to the second. @throws Failure */
function expiryOf(text: string | undefined, now: Date): string | undefined {
  if (text === undefined) return undefined;
  const ms = durationMs(text);
  const moment = ms === undefined ? parseMoment(text) : undefined;
  const at = ms === undefined ? Date.parse(moment ?? '') : now.getTime() + ms;
  const end = new Date(at);
  if (Number.isNaN(at) || Number.isNaN(end.getTime()) || end.getUTCFullYear() > 9999)
    throw usageFailure(
      `--expires must be an age such as 90d, a date such as 2027-06-30, or a time, not ${JSON.stringify(text)}.`,
    );
  if (at <= now.getTime()) throw usageFailure(`--expires is in the past: ${JSON.stringify(text)}.`);
  return moment === undefined ? end.toISOString().replace(/\.\d+Z$/, 'Z') : text;
}

/** The text with the entry. It is used only if it has exactly the previous content and the new key. */
function addedTo(text: string, path: string, entry: KeyEntry): string {
  const result = withKey(text, entry);
  const [before, [added]] = [accessFileOf(text, path), accessFileOf(`keys:\n${keyEntryText(entry)}`, path).keys];
  const expected = JSON.stringify({ ...before, keys: [...before.keys, added] });
  if (result === undefined || !saysExactly(result, path, expected))
    throw usageFailure(
      `Can't add the entry to ${path} without changing the rest. Run without --file, and add it by hand.`,
    );
  return result;
}

function saysExactly(text: string, path: string, expected: string): boolean {
  try {
    return JSON.stringify(accessFileOf(text, path)) === expected;
  } catch {
    return false;
  }
}

/** Replaces a file atomically, so that the service never reads half of it. Keeps a symlink. */
async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path);
  const { mode } = await stat(target);
  const written = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(written, text, { flag: 'wx', mode });
    await chmod(written, mode);
    await rename(written, target);
  } catch (error) {
    await rm(written, { force: true });
    throw usageFailure(`Can't write ${path} (${(error as NodeJS.ErrnoException).code}). The file is unchanged.`);
  }
}
