import type { Client, Settled } from '@shiplog/client';
import { pluralize } from '@shiplog/text';
import cliProgress from 'cli-progress';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, unlessMissing, usageFailure } from '../failure.ts';
import { keepAliveFetch } from './keep-alive-fetch.ts';
import { postRows } from './row-poster.ts';
import { rowRules } from './row-rules.ts';
import { type RowFault, ValidRows } from './valid-rows.ts';

interface ImportOptions {
  readonly check?: boolean;
  readonly rate?: string;
  readonly map?: readonly string[];
  readonly set?: readonly string[];
}

const faultsListedMax = 1000;
const dayMs = 86_400_000;
/** The time that --check waits for the service. The check itself doesn't need the service. */
const checkMs = 3000;

/** `shiplog import` (command.md 5.1, 10.8). */
export async function importFiles({ args, options }: Given, context: Context): Promise<number> {
  const given = options as ImportOptions;
  const rate = rateOf(given.rate);
  const faults = new FaultList(context.out);
  const rules = rowRules(given);
  const unseen = new Set((given.map ?? []).map((pair) => pair.slice(pair.indexOf('=') + 1)));
  const rows = await ValidRows.read({
    files: args,
    stdin: context.stdin,
    validate: (value) => {
      for (const column of unseen) if (column in value) unseen.delete(column);
      return rules(value);
    },
    onFault: (fault) => faults.add(fault),
    signal: context.signal,
  });
  try {
    for (const column of unseen) faults.addSentence(`--map: no row has a column ${JSON.stringify(column)}`);
    if (faults.count > 0) {
      context.out.warn(`${faults.remaining()}Found ${pluralize(faults.count, 'fault')}. Nothing was posted.`);
      return exitCodes.no;
    }
    if (given.check) {
      await warnOfPruned(rows, context, () => context.client({ timeoutMs: checkMs })).catch(() => undefined);
      context.out.line(`${pluralize(rows.size, 'row')} can be imported.`);
      return exitCodes.done;
    }
    return await post(rows, context, rate);
  } finally {
    await rows.close();
  }
}

function rateOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const rate = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : 0;
  if (rate <= 0)
    throw usageFailure(`--rate must be a number of rows per second, such as 50 or 0.5, not ${JSON.stringify(text)}.`);
  return rate;
}

class FaultList {
  readonly #out: Context['out'];
  count = 0;

  constructor(out: Context['out']) {
    this.#out = out;
  }

  add({ file, line, pointer, message }: RowFault): void {
    this.addSentence(`${file}:${line}: ${pointer}: ${message}`);
  }

  addSentence(sentence: string): void {
    this.count += 1;
    if (this.count <= faultsListedMax) this.#out.warn(this.#out.text(sentence));
  }

  remaining(): string {
    const more = this.count - faultsListedMax;
    return more > 0 ? `(${more} more not listed.) ` : '';
  }
}

async function post(rows: ValidRows, context: Context, rate: number | undefined): Promise<number> {
  const { out, signal, clock } = context;
  const client = await context.client({ fetch: keepAliveFetch() });
  await warnOfPruned(rows, context, async () => client);
  const counts: Record<Settled, number> = { posted: 0, known: 0, refused: 0 };
  const progress = progressBar(out.progress, rows.size);
  const summary = () => `${counts.posted} posted, ${counts.known} already in the log, ${counts.refused} refused`;
  try {
    await postRows(rows, {
      client,
      clock,
      rate,
      signal,
      onSettled: (settled) => {
        counts[settled] += 1;
        progress?.increment();
      },
      onStored: (event) => out.isJson && out.json(event),
      onRefused: ({ file, line }, why) => out.warn(out.text(`${file}:${line}: The service refused the row: ${why}`)),
      onWait: (_error, ms) => out.note(`The service isn't responding. Retrying in ${Math.ceil(ms / 1000)} s.`),
    });
  } catch (error) {
    progress?.stop();
    out.warn(`Stopped after ${summary()} (of ${pluralize(rows.size, 'row')}). Run the same command to resume.`);
    throw error;
  }
  progress?.stop();
  if (!out.isJson) out.line(`${pluralize(rows.size, 'row')}: ${summary()}.`);
  return counts.refused > 0 ? exitCodes.refused : exitCodes.done;
}

/**
 * The retention is read from the analytics windows. Other programs that accept events, such as the mock, don't serve
 * them.
 */
async function warnOfPruned(rows: ValidRows, context: Context, client: () => Promise<Client>): Promise<void> {
  const answer = await unlessMissing((await client()).getDora({ signal: context.signal }));
  if (!answer) return;
  const days = answer.body.window.retention_days;
  const pruned = rows.countBefore(context.clock.now().getTime() - days * dayMs);
  if (pruned === 0) return;
  const keeps = `The service keeps events for ${days} days (HISTORY_RETENTION_DAYS)`;
  context.out.warn(`${keeps}: ${pluralize(pruned, 'row')} of ${rows.size} will be deleted within a day.`);
}

function progressBar(stream: NodeJS.WriteStream | undefined, total: number): cliProgress.SingleBar | undefined {
  if (!stream) return undefined;
  const format = '{bar} {value} of {total} rows, {eta_formatted} left';
  const options = { stream, format, clearOnComplete: true, hideCursor: true };
  const bar = new cliProgress.SingleBar(options, cliProgress.Presets.shades_classic);
  bar.start(total, 0);
  return bar;
}
