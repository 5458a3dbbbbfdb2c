/**
 * Says why the database can't be started, in a message for the user. When this is thrown, the start has been undone.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The code of a system error, such as "ENOENT"; undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The result of `attempt`, or undefined if it failed with one of these codes. */
export async function ignoring<T>(codes: readonly string[], attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Converts a system error to a message for the user. Any other error is a bug and is returned unchanged. */
export function asStartError(error: unknown, dataDir: string): unknown {
  const code = systemCode(error);
  if (!(error instanceof Error) || !/^E[A-Z0-9]+$/.test(code ?? '')) return error;
  return new DatabaseStartError(
    `The embedded database can't use ${dataDir} (${error.message}): ${remedy(code, error.message)}.`,
    { cause: error },
  );
}

function remedy(code: string | undefined, message: string): string {
  // In a container, root may not be allowed to change the owner of a file.
  if (/\bchown\b/.test(message)) return 'start this program as an ordinary user, or set DATABASE_URL to a server';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'free some disk space, or point DATA_DIR at another disk';
  if (code === 'EROFS') return 'the disk is read-only; point DATA_DIR at a writable folder';
  if (code === 'ENOTDIR') return 'part of the path is a file; point DATA_DIR at a folder';
  return 'make the folder writable for the user that runs this program, or point DATA_DIR at another folder';
}
