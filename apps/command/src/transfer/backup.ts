import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';

const defaultDataDir = './data';

/** `shiplog backup DIR`: copies the embedded database. A service can start with the copy. */
export async function backup({ args: [target = ''] }: Given, { env, out }: Context): Promise<number> {
  if (target === '') throw usageFailure('Give the target folder.');
  const { backUp, DatabaseStartError } = await import('@shiplog/embedded-postgres');
  try {
    const { files, bytes } = await backUp({ dataDir: env.DATA_DIR || defaultDataDir, target });
    if (out.isJson) out.json({ folder: target, files, bytes });
    else out.line(`Copied the database to ${target}: ${files} files, ${Math.ceil(bytes / 1024 / 1024)} MB.`);
    return exitCodes.done;
  } catch (error) {
    if (error instanceof DatabaseStartError) throw new Failure(exitCodes.no, error.message, error);
    throw error;
  }
}
