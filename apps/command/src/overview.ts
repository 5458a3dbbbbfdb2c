import { productVersion } from '@shiplog/contract/version';
import type { Context } from './context.ts';
import { type CommandDefinition, groups } from './definition.ts';
import { exitCodes, failureOf } from './failure.ts';

const timeoutMs = 3000;

/** `shiplog` without a command: lists the commands and what is running at the address (command.md 1.1). */
export async function overview(commands: readonly CommandDefinition[], context: Context): Promise<number> {
  const { out, url } = context;
  const running = await runningAt(context);
  if (out.isJson) {
    out.json({ url, ...running.versions });
    return exitCodes.done;
  }
  out.line(`Shiplog ${productVersion}: the live log of what is deployed where.\n`);
  for (const [group, heading] of Object.entries(groups)) {
    const names = commands.filter((command) => command.group === group).map(({ name }) => name);
    if (names.length > 0) out.line(`  ${heading}: ${names.join(', ')}`);
  }
  out.line('\nRun shiplog --help for summaries and shiplog <command> --help for the options of a command.\n');
  out.line(`At ${url}: ${running.sentence}`);
  return exitCodes.done;
}

/** The state of the service, as a sentence and as JSON. */
async function runningAt({ client, out, signal }: Context): Promise<{ sentence: string; versions: object }> {
  const calls = await client({ timeoutMs });
  try {
    const { body } = await calls.getVersion({ signal });
    const isReady = await calls.getReadiness({ signal }).then(
      () => true,
      () => false,
    );
    const version = out.text(String(body?.version));
    const sentence = `Shiplog ${version} is running and ${isReady ? 'ready' : 'not ready'}.`;
    return { sentence, versions: { ...body, ready: isReady } };
  } catch (error) {
    signal.throwIfAborted();
    return { sentence: out.text(failureOf(error).message), versions: { ready: false } };
  }
}
