import { CallRefused } from '@shiplog/client';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, failureOf, usageFailure } from '../failure.ts';

/** `shiplog remove`: removes an incorrect event (reading 8.7). */
export async function remove({ args, options }: Given, context: Context): Promise<number> {
  const [id = ''] = args;
  const { out, keys, signal } = context;
  if (typeof options.reason !== 'string') throw usageFailure('--reason is required: say why the event is incorrect.');
  if (keys.control === undefined) {
    throw usageFailure('SHIPLOG_CONTROL_API_KEY is not set. Set it to the CONTROL_API_KEY of the service.');
  }
  const client = await context.client();
  try {
    await client.removeDeployment({ params: { id }, body: { reason: options.reason }, signal });
  } catch (error) {
    throw isWrongKey(error) ? wrongKey(error) : failureOf(error);
  }
  if (!out.isJson && !out.isQuiet) out.line(`Removed ${out.text(id)}.`);
  return exitCodes.done;
}

function isWrongKey(error: unknown): boolean {
  return error instanceof CallRefused && error.status === 401;
}

function wrongKey(cause: unknown): Failure {
  const sentence =
    'The service refused the key (401). Set SHIPLOG_CONTROL_API_KEY to the CONTROL_API_KEY of the service.';
  return new Failure(exitCodes.refused, sentence, cause);
}
