/**
 * Why the embedded database could not be started. The message is one sentence for the person who runs the
 * program: what is wrong and what to do about it. Nothing of a half-made start is left running when it is thrown.
 */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}

/** The `code` of a system error ("ENOENT"), or undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What `attempt` gives, or undefined when it failed with one of the listed system codes. */
export async function unless<T>(codes: readonly string[], attempt: Promise<T>): Promise<T | undefined> {
  try {
    return await attempt;
  } catch (error) {
    if (codes.includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

/**
 * An error of the operating system as the sentence a person needs; a mistake of the program stays what it is,
 * so that it is found with its stack and not mistaken for a bad setting.
 */
export function asStartError(error: unknown, dataDir: string): unknown {
  const code = systemCode(error);
  if (
    error instanceof DatabaseStartError ||
    !(error instanceof Error) ||
    code === undefined ||
    !/^E[A-Z0-9]+$/.test(code)
  ) {
    return error;
  }
  return new DatabaseStartError(
    `The embedded database cannot use ${dataDir} (${error.message}): ${remedy(code, error.message)}.`,
    {
      cause: error,
    },
  );
}

function remedy(code: string, message: string): string {
  // Root of a container that may not give files to another user: PostgreSQL needs one that is not root.
  if (/\bchown\b/.test(message)) return 'start this program as an ordinary user, or set DATABASE_URL to a server';
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'free some disk space, or point DATA_DIR at another disk';
  if (code === 'EROFS') return 'the disk is read-only, so point DATA_DIR at a writable folder';
  if (code === 'ENOTDIR') return 'a part of the path is a file, so point DATA_DIR at a folder';
  return 'make the folder writable for the user that runs this program, or point DATA_DIR at another folder';
}
