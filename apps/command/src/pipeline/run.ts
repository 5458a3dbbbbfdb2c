import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { DeploymentEventIngest, Status } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { failureOf } from '../failures.ts';
import { isHangupIgnored } from '../hangup.ts';
import type { Output } from '../output.ts';
import { type DeliveryOptions, deliver } from './delivery.ts';
import { filledIn } from './event.ts';
import { deliveryOf, flagOf, givenMembers, reporterOf } from './event-options.ts';
import { pipelineFacts } from './facts.ts';
import { fitted } from './fitted.ts';
import { tellFilled } from './post.ts';
import type { Wanted } from './posting.ts';
import { textOption } from './release.ts';
import { SignalRelay } from './signal-relay.ts';

/** The command starts after so long, whatever the log does. */
const startsWithinMs = 2000;

/** By what a shell gives: a command that is not there, and one that cannot be started. */
const [notFound, notStartable] = [127, 126];

/** `shiplog run` (command.md 3.5 and 10.5). */
export async function run({ options, args, rest }: Given, context: Context): Promise<number> {
  const [file, ...parameters] = rest;
  if (file === undefined || args.length > 0) {
    throw usageFailure('run takes its command after two hyphens: shiplog run --service S --environment E -- COMMAND.');
  }
  for (const name of ['service', 'environment']) textOption(options, name);
  const accepted = withoutMistakes(options, context.out);
  const wantedOf = await eventMaker(accepted, context);
  const isHangupKept = isHangupIgnored(context.env);
  const signals = new SignalRelay(isHangupKept ? ['SIGHUP'] : []);
  const log = new RunLog(context, deliveryOf(accepted, true));
  try {
    const begun = log.begin(wantedOf('in-progress'));
    await Promise.race([begun, signals.first, context.clock.sleep(startsWithinMs, log.closing)]);
    const end = signals.received ?? (await ended(started([file, ...parameters], isHangupKept), signals));
    const outcome = outcomeOf(end);
    if (end instanceof Error) context.out.warn(`${context.out.text(file)} cannot be started (${end.message}).`);
    signals.end(() => log.stop());
    await log.finish(wantedOf(outcome.status));
    return outcome.code;
  } finally {
    signals.close();
  }
}

/** A process starts with every signal at its default, so what is ignored under nohup has to be ignored again. */
function started(command: readonly [string, ...string[]], isHangupKept: boolean): ChildProcess {
  const [file, ...parameters] = command;
  const ignoring = ['-c', 'trap "" HUP; exec "$0" "$@"', ...command];
  return isHangupKept ? spawn('sh', ignoring, { stdio: 'inherit' }) : spawn(file, parameters, { stdio: 'inherit' });
}

/** How the command came to its end: its code, the signal that ended it, or why it never began. */
type End = number | NodeJS.Signals | Error;

function ended(child: ChildProcess, signals: SignalRelay): Promise<End> {
  signals.passTo(child);
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(signal ?? code ?? 1));
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(error);
    });
  });
}

const cancelling: readonly string[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

function outcomeOf(end: End): { readonly status: Status; readonly code: number } {
  if (end instanceof Error) {
    const isAbsent = (end as NodeJS.ErrnoException).code === 'ENOENT';
    return { status: 'failure', code: isAbsent ? notFound : notStartable };
  }
  if (typeof end === 'number') return { status: end === 0 ? 'success' : 'failure', code: end };
  return { status: cancelling.includes(end) ? 'cancelled' : 'failure', code: 128 + constants.signals[end] };
}

/**
 * The options without those that only concern the log and make no sense: they must not keep a command from running
 * (command.md 10.12).
 */
function withoutMistakes(options: Given['options'], out: Output): Given['options'] {
  const judges = {
    timeout: deliveryOf,
    spool: deliveryOf,
    reporter: (one: Given['options']) => reporterOf(one, undefined),
  };
  const mistaken = Object.entries(judges).flatMap(([name, judge]) => {
    try {
      judge({ [name]: options[name] }, true);
      return [];
    } catch (error) {
      out.warn(`${failureOf(error).message} The option is ignored.`);
      return [name];
    }
  });
  return Object.fromEntries(Object.entries(options).filter(([name]) => !mistaken.includes(name)));
}

/** Makes the events of this run, each of its own instant, within what the log accepts. */
async function eventMaker(options: Given['options'], { env, clock, out }: Context) {
  const facts = await pipelineFacts(env);
  const reporter = reporterOf(options, facts);
  const runId = `run-${randomUUID()}`;
  const filledOf = (status: Status) =>
    filledIn({ ...givenMembers(options), status }, { facts, now: clock.now(), fallbackId: () => runId });
  const first = filledOf('in-progress');
  tellFilled([first], facts, out);
  for (const { member, fault, change } of fitted(first.members).changes) {
    out.warn(`${flagOf(`/${member}`)} ${fault}; it is ${change} for the log.`);
  }
  return (status: Status): Wanted => {
    const { members, isFresh } = filledOf(status);
    return { event: fitted(members).members as unknown as DeploymentEventIngest, reporter, isFresh };
  };
}

/** What the log is told of a run. Whatever goes wrong with it is said and changes nothing else. */
class RunLog {
  readonly #context: Context;
  readonly #options: Omit<DeliveryOptions, 'signal'>;
  readonly #stopping = new AbortController();
  readonly #beginning = new AbortController();
  readonly #closing = new AbortController();
  #begun: Promise<boolean> = Promise.resolve(false);
  #first: Wanted | undefined;
  /** What went wrong last, which is said once. */
  #said: string | undefined;

  constructor(context: Context, options: Omit<DeliveryOptions, 'signal'>) {
    this.#context = context;
    this.#options = options;
  }

  /** Aborted when the beginning is settled. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Resolves when it is settled, in one way or the other. */
  async begin(first: Wanted): Promise<void> {
    this.#first = first;
    this.#begun = this.#deliver([first], this.#beginning.signal);
    await this.#begun;
    this.#closing.abort();
  }

  /** The end, and the beginning with it where the log has not got it so far. */
  async finish(last: Wanted): Promise<void> {
    this.#beginning.abort(new Failure(exitCodes.no, ''));
    const isBegun = (await this.#begun) || this.#options.spool !== undefined;
    const first = this.#first;
    const wanted = isBegun || !first ? [last] : [{ ...first, isFresh: false }, last];
    await this.#deliver(wanted, this.#stopping.signal);
  }

  /** Gives up what is under way: whoever sends a signal does not want to wait. */
  stop(): void {
    this.#stopping.abort(new Failure(exitCodes.no, 'The end is not told to the log, because a signal came.'));
  }

  /** Whether the log, or the spool, has them. */
  async #deliver(wanted: readonly Wanted[], signal: AbortSignal): Promise<boolean> {
    const { out } = this.#context;
    try {
      const delivered = await deliver(this.#context, wanted, { ...this.#options, signal });
      for (const each of delivered) if (each.result === 'refused') out.warn(each.failure.message);
      return true;
    } catch (error) {
      const { message } = failureOf(error);
      if (signal === this.#beginning.signal && signal.aborted) return false;
      if (message !== this.#said) out.warn(message);
      this.#said = message;
      return false;
    }
  }
}
