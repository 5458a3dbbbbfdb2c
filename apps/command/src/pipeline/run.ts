import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:os';
import type { DeploymentEventIngest, Status } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, failureOf, usageFailure } from '../failure.ts';
import { isHangupIgnored } from '../hangup.ts';
import { holdReason } from '../holds/hold-words.ts';
import { holdsInForce } from '../holds/in-force.ts';
import type { Output } from '../output.ts';
import { type DeliveryOptions, deliver } from './delivery.ts';
import { filledIn } from './event.ts';
import { deliveryOf, flagOf, givenMembers, reporterOf } from './event-options.ts';
import { pipelineFacts } from './facts.ts';
import { fitted } from './fitted.ts';
import { noteFilledIn } from './post.ts';
import type { EventToPost } from './posting.ts';
import { textOption } from './release.ts';
import { SignalRelay } from './signal-relay.ts';

/** The longest delay before the command starts. */
const startsWithinMs = 2000;

/** The shells' exit codes for a missing command and for a command that can't be started. */
const [notFound, notStartable] = [127, 126];

/** `shiplog run` (command.md 3.5 and 10.5). */
export async function run({ options, args, rest }: Given, context: Context): Promise<number> {
  const [file, ...parameters] = rest;
  if (file === undefined || args.length > 0) {
    throw usageFailure('Give the command after two hyphens: shiplog run --service S --environment E -- COMMAND.');
  }
  for (const name of ['service', 'environment']) textOption(options, name);
  const accepted = withoutInvalid(options, context.out);
  const eventOf = await eventMaker(accepted, context);
  if (options.respectHolds === true && (await isHeld(eventOf('in-progress').event, context))) return exitCodes.no;
  const ignoresHangup = isHangupIgnored(context.env);
  const signals = new SignalRelay(ignoresHangup ? ['SIGHUP'] : []);
  const log = new RunLog(context, deliveryOf(accepted, true));
  const starting = new AbortController();
  try {
    const begun = Promise.all([log.begin(eventOf('in-progress')), signals.ready()]);
    await Promise.race([begun, signals.first, context.clock.sleep(startsWithinMs, starting.signal)]);
    starting.abort();
    const end = signals.received ?? (await ended(started([file, ...parameters], ignoresHangup), signals));
    const outcome = outcomeOf(end);
    if (end instanceof Error) context.out.warn(`Can't start ${context.out.text(file)} (${end.message}).`);
    signals.end(() => log.stop());
    await log.finish(eventOf(outcome.status));
    return outcome.code;
  } finally {
    signals.close();
  }
}

/** If the service takes longer than this to answer, nothing is held back. */
const holdsWithinMs = 10_000;

/** Whether a hold keeps the command from starting; prints why. */
async function isHeld(event: DeploymentEventIngest, context: Context): Promise<boolean> {
  const { out } = context;
  const { service, environment, version, sha } = event;
  const release = { version: version ?? undefined, sha: sha ?? undefined };
  const signal = AbortSignal.any([context.signal, AbortSignal.timeout(holdsWithinMs)]);
  const place = { service, environments: [environment], release, at: undefined, signal };
  try {
    const held = await holdsInForce(await context.client(), place);
    for (const hold of held) out.warn(`Not started: ${out.text(holdReason(hold))}.`);
    return held.length > 0;
  } catch (error) {
    context.signal.throwIfAborted();
    out.warn(`${failureOf(error).message} The holds are unknown, so the command starts.`);
    return false;
  }
}

/**
 * Starts the command. A process starts with default signal handlers, so a signal ignored under nohup must be ignored
 * again.
 */
function started(command: readonly [string, ...string[]], ignoresHangup: boolean): ChildProcess {
  const [file, ...parameters] = command;
  const ignoring = ['-c', 'trap "" HUP; exec "$0" "$@"', ...command];
  return ignoresHangup ? spawn('sh', ignoring, { stdio: 'inherit' }) : spawn(file, parameters, { stdio: 'inherit' });
}

/** How the command ended: its exit code, the signal that ended it, or the error that kept it from starting. */
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

/** Drops invalid options that only affect the log: they must not prevent a command from running (command.md 10.12). */
function withoutInvalid(options: Given['options'], out: Output): Given['options'] {
  const checks = {
    timeout: deliveryOf,
    spool: deliveryOf,
    reporter: (one: Given['options']) => reporterOf(one, undefined),
  };
  const invalid = Object.entries(checks).flatMap(([name, check]) => {
    try {
      check({ [name]: options[name] }, true);
      return [];
    } catch (error) {
      out.warn(`${failureOf(error).message} The option is ignored.`);
      return [name];
    }
  });
  return Object.fromEntries(Object.entries(options).filter(([name]) => !invalid.includes(name)));
}

/** Creates the valid events of this run, each with its own time. */
async function eventMaker(options: Given['options'], { env, clock, out }: Context) {
  const facts = await pipelineFacts(env);
  const reporter = reporterOf(options, facts);
  const runId = `run-${randomUUID()}`;
  const filledOf = (status: Status) =>
    filledIn({ ...givenMembers(options), status }, { facts, now: clock.now(), fallbackId: () => runId });
  const first = filledOf('in-progress');
  noteFilledIn([first], facts, out);
  for (const { member, fault, change } of fitted(first.members).changes) {
    out.warn(`${flagOf(`/${member}`)} ${fault}, so it is ${change} in the log.`);
  }
  return (status: Status): EventToPost => {
    const { members, isFresh } = filledOf(status);
    return { event: fitted(members).members as unknown as DeploymentEventIngest, reporter, isFresh };
  };
}

/** Posts the events of a run. Failures are printed but have no other effect. */
class RunLog {
  readonly #context: Context;
  readonly #options: Omit<DeliveryOptions, 'signal'>;
  readonly #stopping = new AbortController();
  readonly #beginning = new AbortController();
  #begun: Promise<boolean> = Promise.resolve(false);
  #first: EventToPost | undefined;
  #printed: string | undefined;

  constructor(context: Context, options: Omit<DeliveryOptions, 'signal'>) {
    this.#context = context;
    this.#options = options;
  }

  /** Resolves when the start event is settled, whether or not it was posted. */
  async begin(first: EventToPost): Promise<void> {
    this.#first = first;
    this.#begun = this.#deliver([first], this.#beginning.signal);
    await this.#begun;
  }

  /** Posts the end event, and the start event if the log doesn't have it yet. */
  async finish(last: EventToPost): Promise<void> {
    this.#beginning.abort(new Failure(exitCodes.no, ''));
    const isBegun = (await this.#begun) || this.#options.spool !== undefined;
    const first = this.#first;
    const events = isBegun || !first ? [last] : [{ ...first, isFresh: false }, last];
    await this.#deliver(events, this.#stopping.signal);
  }

  /** Stops posting, because the user doesn't want to wait after a signal. */
  stop(): void {
    this.#stopping.abort(new Failure(exitCodes.no, 'The outcome was not posted because of a signal.'));
  }

  /** Returns whether the log or the spool has the events. */
  async #deliver(events: readonly EventToPost[], signal: AbortSignal): Promise<boolean> {
    const { out } = this.#context;
    try {
      const delivered = await deliver(this.#context, events, { ...this.#options, signal });
      for (const each of delivered) if (each.result === 'refused') out.warn(each.failure.message);
      return true;
    } catch (error) {
      const { message } = failureOf(error);
      if (signal === this.#beginning.signal && signal.aborted) return false;
      if (message !== this.#printed) out.warn(message);
      this.#printed = message;
      return false;
    }
  }
}
