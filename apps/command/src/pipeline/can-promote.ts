import type { Client } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { refuseUnknown } from '../log/known-names.ts';
import type { Output } from '../output.ts';
import { durationOption } from '../time-options.ts';
import { isLater, isOf, latestRow, named, type Release, type Slot, textOption } from './release.ts';

/** `shiplog can-promote` (command.md 3.7 and 10.7). */
export async function canPromote({ options }: Given, context: Context): Promise<number> {
  const { out } = context;
  const service = textOption(options, 'service');
  if (options.current === true && options.version !== undefined) {
    throw usageFailure('Give --version or --current, not both.');
  }
  const version = options.current === true ? undefined : textOption(options, 'version');
  const [from, to] = [textOption(options, 'from'), textOption(options, 'to')];
  const soakMs = options.soak === undefined ? 0 : durationOption('--soak', String(options.soak));
  const client = await context.client();
  await refuseUnknown(client, { services: [service], environments: [from, to] }, context.signal);
  const questions = new Questions(client, context);
  const source = { service, environment: from };
  const release = version === undefined ? await questions.current(source) : { version };
  const subject = release ? named(service, release, out) : out.text(service);
  const reasons = release
    ? await questions.againstRelease(source, { release, soakMs, subject })
    : [`no release of ${subject} has succeeded in ${out.text(from)}.`];
  // Commander parses --no-x as the negation of an option x that is true by default.
  if (options.openFailures === false) {
    for (const environment of new Set([from, to]))
      reasons.push(...(await questions.againstSlot({ service, environment })));
  }
  const isAllowed = reasons.length === 0;
  if (out.isJson) out.json({ can_promote: isAllowed, reasons });
  else if (isAllowed) out.line(`yes: ${subject} may be promoted from ${out.text(from)} to ${out.text(to)}.`);
  else for (const reason of reasons) out.line(`no: ${reason}`);
  return isAllowed ? exitCodes.done : exitCodes.no;
}

class Questions {
  readonly #client: Client;
  readonly #out: Output;
  readonly #signal: AbortSignal;

  constructor(client: Client, { out, signal }: Context) {
    this.#client = client;
    this.#out = out;
    this.#signal = signal;
  }

  /** The release of the last successful deployment in a slot. */
  async current(slot: Slot): Promise<Release | undefined> {
    const { row } = await latestRow(this.#client, { slot, status: 'success', signal: this.#signal });
    return row && { version: row.version, sha: row.sha };
  }

  async againstRelease(
    slot: Slot,
    { release, soakMs, subject }: { release: Release; soakMs: number; subject: string },
  ): Promise<string[]> {
    const matches = (row: DeploymentEvent) => isOf(row, release);
    const { row, now } = await latestRow(this.#client, { slot, matches, signal: this.#signal });
    const environment = this.#out.text(slot.environment);
    if (!row) return [`${subject} was never deployed to ${environment}.`];
    if (row.status !== 'success')
      return [`${subject} has been ${row.status} in ${environment} since ${row.happened_at}.`];
    const ageMs = now.getTime() - Date.parse(row.happened_at);
    if (ageMs >= soakMs) return [];
    const leftSeconds = Math.ceil((soakMs - ageMs) / 1000);
    return [`${subject} has been in ${environment} since ${row.happened_at}; its soak time ends in ${leftSeconds} s.`];
  }

  async againstSlot(slot: Slot): Promise<string[]> {
    const [success, failure] = await Promise.all(
      (['success', 'failure'] as const).map((status) =>
        latestRow(this.#client, { slot, status, signal: this.#signal }),
      ),
    );
    const failed = failure?.row;
    if (!failed || !isLater(failed, success?.row)) return [];
    const what = this.#out.text(failed.version ?? failed.deployment_id);
    return [
      `the latest completed deployment in ${this.#out.text(slot.environment)} failed: ${what} at ${failed.happened_at}.`,
    ];
  }
}
