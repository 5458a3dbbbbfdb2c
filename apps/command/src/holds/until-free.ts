import type { Hold } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes } from '../failure.ts';
import { patiently } from '../log/patiently.ts';
import { isStage, readStages, stageIn } from '../log/stages.ts';
import { textOption } from '../pipeline/release.ts';
import { TimeLimit } from '../pipeline/time-limit.ts';
import { holdReason } from './hold-words.ts';
import { holdsInForce } from './in-force.ts';

/** Holds can be released at any time. */
const askEveryMs = 10_000;

/** `shiplog wait --until-free` (holds.md 6.14). */
export async function waitUntilFree({ options }: Given, context: Context): Promise<number> {
  const { out, clock } = context;
  const [service, environment] = [textOption(options, 'service'), textOption(options, 'environment')];
  const release = {
    ...(options.version !== undefined && { version: String(options.version) }),
    ...(options.sha !== undefined && { sha: String(options.sha) }),
  };
  const limit = new TimeLimit(options, context);
  const { signal } = limit;
  const client = await context.client();
  const ask = async (): Promise<Hold[]> => {
    const environments = isStage(environment)
      ? stageIn(await readStages(client, signal), environment).environments
      : [environment];
    return holdsInForce(client, { service, environments, release, at: undefined, signal });
  };
  let state: string | undefined;
  limit.start(() => state);
  try {
    for (;;) {
      const held = limit.isSingleCheck ? await ask() : await patiently(context, signal, ask);
      const reasons = held.map((hold) => out.text(holdReason(hold)));
      if (reasons.length === 0) {
        if (!out.isQuiet) out.line(`Nothing holds ${out.text(service)} in ${out.text(environment)}.`);
        return exitCodes.done;
      }
      const told = state;
      state = reasons.join('; ');
      if (limit.isSingleCheck) throw limit.failure(state);
      if (state !== told) for (const reason of reasons) out.note(`Waiting: ${reason}.`);
      await clock.sleep(nextMs(held, clock.now().getTime()), signal);
      signal.throwIfAborted();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    limit.end();
  }
}

/** How long to wait before asking again: until the first hold ends, at most `askEveryMs`. */
function nextMs(held: readonly Hold[], nowMs: number): number {
  const ends = held.map(({ until }) => (until === null ? askEveryMs : Date.parse(until) - nowMs));
  return Math.max(0, Math.min(askEveryMs, ...ends));
}
