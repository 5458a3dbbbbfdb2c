import type { Client } from '@shiplog/client';
import type { DeploymentEvent } from '@shiplog/contract';
import { escapeUnsafe, releaseName, stageReference } from '@shiplog/text';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { holdReason } from '../holds/hold-words.ts';
import { futureOption } from '../holds/holds.ts';
import { holdsInForce } from '../holds/in-force.ts';
import { refuseUnknown } from '../log/known-names.ts';
import { isStage, readStages, type Stages, stageIn } from '../log/stages.ts';
import type { Output } from '../output.ts';
import { durationOption } from '../time-options.ts';
import { isLater, isOf, latestRow, type Release, named as releaseText, textOption } from './release.ts';

/** `shiplog can-promote` (command.md 3.7 and 10.7). */
export async function canPromote({ options }: Given, context: Context): Promise<number> {
  const { out, signal } = context;
  const service = textOption(options, 'service');
  if (options.current === true && options.version !== undefined) {
    throw usageFailure('Give --version or --current, not both.');
  }
  const question = {
    service,
    version: options.current === true ? undefined : textOption(options, 'version'),
    soakMs: options.soak === undefined ? 0 : durationOption('--soak', String(options.soak)),
    from: options.from === undefined ? undefined : textOption(options, 'from'),
    to: textOption(options, 'to'),
    // Commander parses --no-x as the negation of an option x that is true by default.
    refusesOpenFailures: options.openFailures === false,
    at: options.at === undefined ? undefined : futureOption('--at', String(options.at)),
  };
  const { subject, from, to, reasons, held } = await judgePromotion(await context.client(), question, { out, signal });
  const isIgnored = options.ignoreHolds === true;
  if (isIgnored) for (const reason of held) out.warn(`Ignored: ${reason}`);
  const all = isIgnored ? reasons : [...reasons, ...held];
  const isAllowed = all.length === 0;
  if (out.isJson) out.json({ can_promote: isAllowed, reasons: all });
  else if (isAllowed) out.line(`yes: ${subject} may be promoted from ${from} to ${to}.`);
  else for (const reason of all) out.line(`no: ${reason}`);
  return isAllowed ? exitCodes.done : exitCodes.no;
}

export interface PromotionQuestion {
  readonly service: string;
  /** The release that runs in `from` by default. */
  readonly version: string | undefined;
  /** An environment or `stage:<name>`; the stage before that of `to` by default. */
  readonly from: string | undefined;
  readonly to: string;
  readonly soakMs: number;
  readonly refusesOpenFailures: boolean;
  /** When holds are judged: RFC 3339 in UTC; now by default. */
  readonly at: string | undefined;
}

interface Asking {
  readonly out: Pick<Output, 'text'>;
  readonly signal: AbortSignal;
}

/** Why a release may not be promoted: what the log says, and what holds it back. All texts are safe to print. */
export async function judgePromotion(client: Client, question: PromotionQuestion, asking: Asking) {
  const { service, version, soakMs, refusesOpenFailures, at } = question;
  const { out, signal } = asking;
  const { from, to } = await sidesOf(client, question, signal);
  const named = [from, to].flatMap((side) => (isStage(side.name) ? [] : [side.name]));
  await refuseUnknown(client, { services: [service], environments: named }, signal);
  const questions = new Questions(client, asking);
  const source = { service, ...from };
  const release = version === undefined ? await questions.current(source) : { version };
  const subject = release ? releaseText(service, release, out) : out.text(service);
  const reasons = release
    ? await questions.againstRelease(source, { release, soakMs, subject })
    : [`no release of ${subject} has succeeded in ${out.text(from.name)}.`];
  if (refusesOpenFailures) {
    for (const environment of new Set([...from.environments, ...to.environments]))
      reasons.push(...(await questions.againstSlot({ service, environment })));
  }
  const place = { service, environments: to.environments, release };
  const holds = await holdsInForce(client, { ...place, at, signal });
  const held = holds.map((hold) => `${out.text(holdReason(hold))}.`);
  return { subject, from: out.text(from.name), to: out.text(to.name), reasons, held };
}

/** An environment or a stage, and the environments to check. */
interface Side {
  readonly name: string;
  readonly environments: readonly string[];
}

interface Source extends Side {
  readonly service: string;
}

interface Asked {
  readonly release: Release;
  readonly soakMs: number;
  readonly subject: string;
}

/** Without `--from`, it is the stage before that of `--to` (stages.md 4.15). @throws Failure */
async function sidesOf(client: Client, { from, to }: PromotionQuestion, signal: AbortSignal) {
  if (from !== undefined && !isStage(from) && !isStage(to)) return { from: sideOf([], from), to: sideOf([], to) };
  const stages = await readStages(client, signal);
  return { from: sideOf(stages, from ?? stageBefore(stages, to)), to: sideOf(stages, to) };
}

function sideOf(stages: Stages, name: string): Side {
  return { name, environments: isStage(name) ? stageIn(stages, name).environments : [name] };
}

function stageBefore(stages: Stages, to: string): string {
  const own = isStage(to) ? stageIn(stages, to) : stages.find(({ environments }) => environments.includes(to));
  const before = own && own.name !== null ? stages[stages.indexOf(own) - 1]?.name : undefined;
  if (before) return stageReference(before);
  throw usageFailure(`--from is required, because the promotion order has no stage before ${escapeUnsafe(to)}.`);
}

class Questions {
  readonly #client: Client;
  readonly #out: Asking['out'];
  readonly #signal: AbortSignal;

  constructor(client: Client, { out, signal }: Asking) {
    this.#client = client;
    this.#out = out;
    this.#signal = signal;
  }

  /** The release that runs in an environment, or in all environments of a stage. @throws Failure if these differ. */
  async current({ service, name, environments }: Source): Promise<Release | undefined> {
    const rows: DeploymentEvent[] = [];
    for (const environment of environments) {
      const slot = { service, environment };
      const { row } = await latestRow(this.#client, { slot, status: 'success', signal: this.#signal });
      if (row) rows.push(row);
    }
    const [first, ...others] = rows.filter((row) => releaseName(row) !== '' || rows.length === 1);
    if (!first) return undefined;
    if (others.some((row) => !isOf(row, first))) {
      const found = rows.map((row) => `${releaseName(row) || row.deployment_id} in ${row.environment}`).join(', ');
      throw usageFailure(`${name} runs several releases: ${this.#out.text(found)}. Give one of them as --version.`);
    }
    return { version: first.version, sha: first.sha };
  }

  async againstRelease({ service, name, environments }: Source, asked: Asked): Promise<string[]> {
    const matches = (row: DeploymentEvent) => isOf(row, asked.release);
    const found: { row: DeploymentEvent; now: Date }[] = [];
    for (const environment of environments) {
      const slot = { service, environment };
      const { row, now } = await latestRow(this.#client, { slot, matches, signal: this.#signal });
      if (row) found.push({ row, now });
    }
    if (found.length === 0) return [`${asked.subject} was never deployed to ${this.#out.text(name)}.`];
    const failed = found.filter(({ row }) => row.status === 'failure');
    if (failed.length > 0) return failed.map(({ row }) => this.#stateOf(row, asked));
    const succeeded = found.filter(({ row }) => row.status === 'success');
    if (succeeded.length === 0) return found.map(({ row }) => this.#stateOf(row, asked));
    const soaking = succeeded.map(({ row, now }) => {
      return { row, leftMs: asked.soakMs - (now.getTime() - Date.parse(row.happened_at)) };
    });
    const [next] = soaking.toSorted((one, other) => one.leftMs - other.leftMs);
    if (!next || next.leftMs <= 0) return [];
    const { row, leftMs } = next;
    const since = `in ${this.#out.text(row.environment)} since ${row.happened_at}`;
    return [`${asked.subject} has been ${since}; its soak time ends in ${Math.ceil(leftMs / 1000)} s.`];
  }

  #stateOf({ status, environment, happened_at }: DeploymentEvent, { subject }: Asked): string {
    return `${subject} has been ${status} in ${this.#out.text(environment)} since ${happened_at}.`;
  }

  async againstSlot(slot: { readonly service: string; readonly environment: string }): Promise<string[]> {
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
