import { readFile, stat } from 'node:fs/promises';
import { type AccessFile, parseAccessFile } from '@shiplog/access';
import { SettingsError } from '@shiplog/server/settings';
import { usageFailure } from '../failure.ts';

/** The limit of the service, too (access.md 1.1). */
const accessFileBytesMax = 1024 * 1024;

/** The text of a file that an option names. @throws Failure if it can't be read. */
export async function readText(path: string, bytesMax = accessFileBytesMax): Promise<string> {
  let bytes: Buffer;
  try {
    if ((await stat(path)).size > bytesMax) throw usageFailure(`${path} has more than ${bytesMax / 1024} KiB.`);
    bytes = await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw typeof code === 'string' ? usageFailure(`Can't read ${path} (${code}).`) : error;
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usageFailure(`${path} is not UTF-8.`);
  }
}

/** The audience of an issuer that sets none, if the service's address is unknown. */
export const unknownAudience = 'https://audience.invalid';

/**
 * Parses an access file. Only the service knows whether it has a catalog, so `own` is not a fault here.
 * @throws Failure with the file's faults, one per line.
 */
export function accessFileOf(text: string, path: string, publicUrl = unknownAudience): AccessFile {
  return withoutFaults(() => parseAccessFile(text, path, { hasCatalog: true, publicUrl }));
}

/** @throws Failure with the message of a SettingsError. */
export function withoutFaults<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof SettingsError ? usageFailure(error.message) : error;
  }
}
