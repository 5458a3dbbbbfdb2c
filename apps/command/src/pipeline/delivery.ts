import type { Context } from '../context.ts';
import { exitCodes, Failure } from '../failure.ts';
import { pipelineFacts } from './facts.ts';
import { type Outcome, Posting, type PostingOptions, type Wanted } from './posting.ts';
import { Spool } from './spool.ts';
import { SpoolLock } from './spool-lock.ts';

export interface DeliveryOptions extends PostingOptions {
  /** The folder of events that wait. */
  readonly spool?: string;
}

/** What became of an event: as `Outcome`, or it waits in the spool, where the service was away. */
export type Delivered = Outcome | { readonly result: 'kept' };

/**
 * Brings events into the log, each once. With a spool they are on the disk before the first attempt; what waits there
 * goes first, in order, and where the service is away everything stays for the next call (command.md 3.4).
 *
 * @throws Failure where the service refuses this caller, or is away and there is no spool.
 */
export async function deliver(
  context: Context,
  wanted: readonly Wanted[],
  options: DeliveryOptions,
): Promise<Delivered[]> {
  if (!context.isUrlSet && (await pipelineFacts(context.env))) throw new Failure(exitCodes.away, noAddress);
  const posting = await Posting.open(context, options);
  let spooled: Spooled | undefined;
  try {
    if (options.spool !== undefined) spooled = await keepAll(context, wanted, options.spool);
    if (!spooled) return await posting.post(wanted);
    return await sendAll({ context, wanted, posting, ...spooled });
  } catch (error) {
    if (!spooled || !(error instanceof Failure)) throw error;
    const kept = `What the log has not yet is kept in ${spooled.spool.folder}, and the next call with this --spool sends it.`;
    const sentences = [error.message, kept].filter(Boolean).join(' ');
    if (error.code !== exitCodes.away) throw new Failure(error.code, sentences, error);
    context.out.warn(sentences);
    return wanted.map(() => ({ result: 'kept' }));
  } finally {
    posting.close();
  }
}

/** No service runs on the machine of a pipeline, so that waiting for one there would be in vain. */
const noAddress = 'The address of the service is empty; set SHIPLOG_URL or --url.';

interface Spooled {
  readonly spool: Spool;
  /** The files of the wanted events, in their order. */
  readonly names: readonly string[];
}

/** A disk that takes nothing must not cost the event: it is then posted without a spool. */
async function keepAll(context: Context, wanted: readonly Wanted[], folder: string): Promise<Spooled | undefined> {
  try {
    const spool = await Spool.open(folder);
    const names: string[] = [];
    for (const each of wanted) names.push(await spool.keep(each, context.clock.now()));
    return { spool, names };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    context.out.warn(`--spool ${folder} cannot be written (${code}), so nothing is kept; give a folder that can.`);
    return undefined;
  }
}

interface Sending extends Spooled {
  readonly context: Context;
  readonly wanted: readonly Wanted[];
  readonly posting: Posting;
}

async function sendAll(sending: Sending): Promise<Delivered[]> {
  const { context, spool, names, wanted, posting } = sending;
  const lock = await SpoolLock.take(spool.folder, context.clock, posting.signal);
  const outcomes = new Map<string, Outcome>();
  try {
    for (let waiting = await spool.waiting(); waiting.length > 0; waiting = await spool.waiting()) {
      for (const name of waiting) {
        if (!(await lock.isHeld())) throw new Failure(exitCodes.away, `Another call sends ${spool.folder} meanwhile.`);
        const outcome = await send(sending, name);
        if (outcome) outcomes.set(name, outcome);
      }
    }
  } finally {
    await lock.release();
  }
  const settled: Outcome[] = [];
  for (const [index, { event }] of wanted.entries()) {
    // What another call has sent meanwhile is in the log.
    settled.push(outcomes.get(names[index] ?? '') ?? (await posting.known(event)));
  }
  return settled;
}

/** Sends one file, which is gone or set aside afterwards. */
async function send({ context, spool, posting }: Sending, name: string): Promise<Outcome | undefined> {
  const wanted = await spool.read(name);
  if (wanted === 'gone') return undefined;
  if (wanted === 'unreadable') {
    context.out.warn(`${await spool.setAside(name)} is no event that can be posted; look at it, and remove it.`);
    return undefined;
  }
  const [outcome] = await posting.post([wanted]);
  if (outcome?.result === 'refused') {
    context.out.warn(`${outcome.failure.message} The event is kept as ${await spool.setAside(name)}.`);
  } else {
    await spool.remove(name);
  }
  return outcome;
}
