import type { Context } from '../context.ts';
import { exitCodes, Failure } from '../failure.ts';
import { pipelineFacts } from './facts.ts';
import { type EventToPost, type Outcome, Posting, type PostingOptions } from './posting.ts';
import { Spool } from './spool.ts';
import { SpoolLock } from './spool-lock.ts';

export interface DeliveryOptions extends PostingOptions {
  readonly spool?: string;
}

/** The outcome of an event. It is `spooled` while the service is unavailable. */
export type Delivered = Outcome | { readonly result: 'spooled' };

/**
 * Posts events, each once. With a spool they are written to disk before the first attempt, and events that are already
 * in the spool are sent first, in order. If the service is unavailable, all events stay in the spool for the next call
 * (command.md 3.4).
 *
 * @throws Failure if the service refuses this caller, or is unavailable and there is no spool.
 */
export async function deliver(
  context: Context,
  events: readonly EventToPost[],
  options: DeliveryOptions,
): Promise<Delivered[]> {
  if (!context.isUrlSet && (await pipelineFacts(context.env))) throw new Failure(exitCodes.away, noAddress);
  const posting = await Posting.open(context, options);
  let spooled: Spooled | undefined;
  try {
    if (options.spool !== undefined) spooled = await spoolAll(context, events, options.spool);
    if (!spooled) return await posting.post(events);
    return await sendAll({ context, events, posting, ...spooled });
  } catch (error) {
    if (!spooled || !(error instanceof Failure)) throw error;
    const kept = `Unsent events are kept in ${spooled.spool.folder}; the next call with this --spool sends them.`;
    const sentences = [error.message, kept].filter(Boolean).join(' ');
    if (error.code !== exitCodes.away) throw new Failure(error.code, sentences, error);
    context.out.warn(sentences);
    return events.map(() => ({ result: 'spooled' }));
  } finally {
    posting.close();
  }
}

/** A CI machine runs no service, so waiting for a service on localhost would be useless. */
const noAddress = 'No service address is set. Set SHIPLOG_URL or --url.';

interface Spooled {
  readonly spool: Spool;
  /** The file names of the events, in order. */
  readonly names: readonly string[];
}

/** If the spool can't be written, events are posted without it, so that they are not lost. */
async function spoolAll(
  context: Context,
  events: readonly EventToPost[],
  folder: string,
): Promise<Spooled | undefined> {
  try {
    const spool = await Spool.open(folder);
    const names: string[] = [];
    for (const event of events) names.push(await spool.add(event, context.clock.now()));
    return { spool, names };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    context.out.warn(`Can't write to --spool ${folder} (${code}), so no events are kept. Give a writable folder.`);
    return undefined;
  }
}

interface Sending extends Spooled {
  readonly context: Context;
  readonly events: readonly EventToPost[];
  readonly posting: Posting;
}

async function sendAll(sending: Sending): Promise<Delivered[]> {
  const { context, spool, names, events, posting } = sending;
  const lock = await SpoolLock.acquire(spool.folder, context.clock, posting.signal);
  const outcomes = new Map<string, Outcome>();
  try {
    for (let waiting = await spool.waiting(); waiting.length > 0; waiting = await spool.waiting()) {
      for (const name of waiting) {
        if (!(await lock.isHeld())) throw new Failure(exitCodes.away, `Another call is sending ${spool.folder}.`);
        const outcome = await send(sending, name);
        if (outcome) outcomes.set(name, outcome);
      }
    }
  } finally {
    await lock.release();
  }
  const settled: Outcome[] = [];
  for (const [index, { event }] of events.entries()) {
    // If another call has sent the event meanwhile, the log has it.
    settled.push(outcomes.get(names[index] ?? '') ?? (await posting.known(event)));
  }
  return settled;
}

/** Sends one file, and then deletes it or sets it aside. */
async function send({ context, spool, posting }: Sending, name: string): Promise<Outcome | undefined> {
  const event = await spool.read(name);
  if (event === 'gone') return undefined;
  if (event === 'unreadable') {
    context.out.warn(`${await spool.setAside(name)} is not a valid event. Inspect and remove it.`);
    return undefined;
  }
  const [outcome] = await posting.post([event]);
  if (outcome?.result === 'refused') {
    context.out.warn(`${outcome.failure.message} The event is kept as ${await spool.setAside(name)}.`);
  } else await spool.remove(name);
  return outcome;
}
