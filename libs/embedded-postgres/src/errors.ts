/**
 * Why the embedded database could not be started. The message is one sentence for the person who runs the
 * program: what is wrong and what to do about it. By the time it is thrown, whatever the start has begun is undone.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The `code` of a system error ("ENOENT"), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** The result of `attempt`, or undefined when it failed with one of the listed system codes. */
export async function ignoring<T>(codes: readonly string[], attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * Turns an error of the operating system into a sentence for the user. An error in the program itself is returned as it
 * is, with its stack, so that nobody takes it for a bad setting.
 */
export function asStartError(error: unknown, dataDir: string): unknown {
  const code = systemCode(error);
  if (!(error instanceof Error) || !/^E[A-Z0-9]+$/.test(code ?? '')) return error;
  return new DatabaseStartError(
    `The embedded database can't use ${dataDir} (${error.message}): ${remedy(code, error.message)}.`,
    { cause: error },
  );
}

function remedy(code: string | undefined, message: string): string {
  // Root of a container that may not give files to another user: PostgreSQL needs one that is not root.
  if (/\bchown\b/.test(message)) return 'start this program as an ordinary user, or set DATABASE_URL to a server';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'free some disk space, or point DATA_DIR at another disk';
  if (code === 'EROFS') return 'the disk is read-only; point DATA_DIR at a writable folder';
  if (code === 'ENOTDIR') return 'part of the path is a file; point DATA_DIR at a folder';
  return 'make the folder writable for the user that runs this program, or point DATA_DIR at another folder';
}
