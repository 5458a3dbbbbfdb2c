import { CallRefused, type Client } from '@shiplog/client';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, failureOf, usageFailure } from '../failure.ts';

/** `shiplog remove`: removes an incorrect event (reading 8.7). */
export async function remove({ args, options }: Given, context: Context): Promise<number> {
  const [id = ''] = args;
  const { out, signal } = context;
  const { reason } = options;
  if (typeof reason !== 'string') throw usageFailure('--reason is required: say why the event is incorrect.');
  await withControlKey(context, (client) => client.removeDeployment({ params: { id }, body: { reason }, signal }));
  if (!out.isJson && !out.isQuiet) out.line(`Removed ${out.text(id)}.`);
  return exitCodes.done;
}

/** Makes calls that need the control key. @throws Failure that names its variable if it is missing or wrong. */
export async function withControlKey(context: Context, calls: (client: Client) => Promise<unknown>): Promise<void> {
  if (context.keys.control === undefined) {
    throw usageFailure(
      'SHIPLOG_CONTROL_API_KEY is not set. Set it to the CONTROL_API_KEY of the service, or to a named key with control.',
    );
  }
  try {
    await calls(await context.client());
  } catch (error) {
    throw isWrongKey(error) ? wrongKey(error) : failureOf(error);
  }
}

function isWrongKey(error: unknown): boolean {
  return error instanceof CallRefused && error.status === 401;
}

function wrongKey(cause: unknown): Failure {
  const sentence =
    'The service refused the key (401). Set SHIPLOG_CONTROL_API_KEY to the CONTROL_API_KEY of the service or to a named key with control.';
  return new Failure(exitCodes.refused, sentence, cause);
}
