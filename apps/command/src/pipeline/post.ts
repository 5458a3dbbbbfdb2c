import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type DeploymentEventIngest, limits } from '@shiplog/contract';
import { escapeUnsafe, shellQuoted } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, failureOf, usageFailure } from '../failure.ts';
import type { Output } from '../output.ts';
import { type Delivered, deliver } from './delivery.ts';
import { eventFaults, type Filled, filledIn, type GivenMembers } from './event.ts';
import { deliveryOf, flagOf, givenMembers, reporterOf } from './event-options.ts';
import { pipelineFacts } from './facts.ts';
import type { EventToPost } from './posting.ts';
import type { PipelineFacts } from './tools.ts';

/** `shiplog post` (command.md 3.1 to 3.4). */
export async function post({ options }: Given, context: Context): Promise<number> {
  const { out, env, clock } = context;
  const delivery = deliveryOf(options, Boolean(options.bestEffort));
  const now = clock.now();
  const facts = await pipelineFacts(env);
  const reporter = reporterOf(options, facts);
  const localIds = new LocalIds();
  const filled = (await readSources(options, context)).map(({ position, members }) => {
    const given = { ...members, ...present(givenMembers(options)) };
    return { position, ...filledIn(given, { facts, now, fallbackId: () => localIds.of(given) }) };
  });
  refuseFaults(filled);
  noteFilledIn(filled, facts, out);
  localIds.note(out);
  const events = filled.map(({ members, isFresh }) => ({ event: members as DeploymentEventIngest, reporter, isFresh }));
  for (const { event } of events) warnOfFuture(event, now, out);
  if (options.dryRun) {
    for (const { event } of events) out.json(event);
    return exitCodes.done;
  }
  try {
    return printOutcomes(events, await deliver(context, events, delivery), context);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== exitCodes.away) throw failure;
    const sentences = `${failure.message} ${repeatHint(events)}; events are not stored twice.`;
    if (!options.bestEffort) throw new Failure(failure.code, sentences, failure);
    out.warn(`${sentences} The deployment continues because of --best-effort.`);
    return exitCodes.done;
  }
}

/**
 * Generates one deployment id per service and environment if neither the caller nor the CI environment has one
 * (command.md 10.11).
 */
class LocalIds {
  readonly #ids = new Map<string, string>();

  of({ service, environment }: GivenMembers): string {
    const slot = JSON.stringify([service, environment]);
    const id = this.#ids.get(slot) ?? `local-${randomUUID()}`;
    this.#ids.set(slot, id);
    return id;
  }

  note(out: Output): void {
    for (const id of this.#ids.values()) {
      out.note(`No --deployment-id was given. To add events to this deployment, pass --deployment-id ${id}.`);
    }
  }
}

/**
 * Says how to repeat the call with the same event. Without --happened-at, the repeated event would have a different
 * time.
 */
function repeatHint([only, ...others]: readonly EventToPost[]): string {
  if (!only || others.length > 0) return 'Repeat the call with the deployment_id and happened_at of each event';
  const { deployment_id, happened_at } = only.event;
  return `Repeat the call with --deployment-id ${shellWord(deployment_id)} --happened-at ${happened_at}`;
}

function shellWord(text: string): string {
  return /^[\w./:@#-]+$/.test(text) ? text : shellQuoted(escapeUnsafe(text));
}

/**
 * Warns about an event dated in the future. Such an event hides later events until its time has come, and usually means
 * a wrong clock.
 */
function warnOfFuture({ service, environment, happened_at }: DeploymentEventIngest, now: Date, out: Output): void {
  const minutes = Math.floor((Date.parse(happened_at) - now.getTime()) / 60_000);
  if (minutes < limits.aheadWarningMinutes) return;
  out.warn(
    `The event of ${out.text(service)} in ${out.text(environment)} is dated ${minutes} minutes in the future. Check the clock and --happened-at.`,
  );
}

interface Source {
  /** The place of the event in its file, for error messages. Empty for an event from options. */
  readonly position: string;
  readonly members: GivenMembers;
}

async function readSources({ file, batch }: Given['options'], { stdin }: Context): Promise<Source[]> {
  if (batch && file !== undefined) throw usageFailure('Give --batch or --file, not both.');
  if (batch) {
    const lines = (await textOf(stdin)).split('\n');
    return lines.flatMap((line, index) => (line.trim() === '' ? [] : [sourceOf(`line ${index + 1}`, line)]));
  }
  if (file === undefined) return [{ position: '', members: {} }];
  const path = String(file);
  const text = await (path === '-' ? textOf(stdin) : readFile(path, 'utf8')).catch((error) => {
    throw usageFailure(`Can't read --file ${path} (${error.code}). Give the path of a readable file.`);
  });
  return [sourceOf(path, text)];
}

async function textOf(stdin: Context['stdin']): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function sourceOf(position: string, text: string): Source {
  let members: unknown;
  try {
    members = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    members = undefined;
  }
  if (members !== null && typeof members === 'object' && !Array.isArray(members)) {
    return { position, members: members as GivenMembers };
  }
  throw usageFailure(`${position} is not an event: it must be a JSON object such as {"service": "payments-api", …}.`);
}

function present(members: GivenMembers): GivenMembers {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** Sends nothing if an event has a fault. @throws Failure with all faults of all events. */
function refuseFaults(filled: readonly (Filled & { position: string })[]): void {
  const faults = filled.flatMap(({ position, members }) =>
    eventFaults(members).map(({ pointer, message }) => {
      const where = position === '' ? flagOf(pointer) : `${position}: ${pointer}`;
      return `\n  ${where}: ${message}`;
    }),
  );
  if (faults.length > 0) throw usageFailure(`The event is invalid; nothing was sent:${faults.join('')}`);
}

export function noteFilledIn(filled: readonly Filled[], facts: PipelineFacts | undefined, out: Output): void {
  const names = [...new Set(filled.flatMap((each) => each.names))];
  if (facts && names.length > 0) out.note(`Filled in from ${facts.tool}: ${names.join(', ')}.`);
}

function printOutcomes(events: readonly EventToPost[], delivered: readonly Delivered[], { out }: Context): number {
  let code: number = exitCodes.done;
  for (const [index, outcome] of delivered.entries()) {
    const { service, environment, status } = (events[index] as EventToPost).event;
    const subject = `${status} of ${out.text(service)} in ${out.text(environment)}`;
    if (outcome.result === 'refused') {
      out.warn(outcome.failure.message);
      code = exitCodes.refused;
    } else if (outcome.result !== 'spooled' && out.isJson) {
      if (outcome.row) out.json(outcome.row);
    } else if (outcome.result !== 'spooled' && !out.isQuiet) {
      const how = outcome.result === 'stored' ? 'is stored' : 'was already in the log';
      out.line(`${subject} ${how}${outcome.row ? ` as ${outcome.row.id}` : ''}.`);
    }
  }
  return code;
}
