import { CallRefused, type Client, type Settled } from '@shiplog/client';
import { pluralize } from '@shiplog/text';
import cliProgress from 'cli-progress';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { JudgedRows, type RowFault } from './judged-rows.ts';
import { keepAliveFetch } from './keep-alive-fetch.ts';
import { postRows } from './row-poster.ts';
import { rowRules } from './row-rules.ts';

interface ImportOptions {
  readonly check?: boolean;
  readonly rate?: string;
  readonly map?: readonly string[];
  readonly set?: readonly string[];
}

/** Further faults are only counted. */
const faultsListedMax = 1000;
const dayMs = 86_400_000;
/** How long --check waits for the service, which it doesn't need. */
const checkMs = 3000;

/** `shiplog import` (command.md 5.1, 10.8). */
export async function importFiles({ args, options }: Given, context: Context): Promise<number> {
  const given = options as ImportOptions;
  const rate = rateOf(given.rate);
  const faults = new FaultList(context);
  const rules = rowRules(given);
  const unseen = new Set((given.map ?? []).map((pair) => pair.slice(pair.indexOf('=') + 1)));
  const rows = await JudgedRows.read({
    files: args,
    stdin: context.stdin,
    judge: (value) => {
      for (const column of unseen) if (column in value) unseen.delete(column);
      return rules(value);
    },
    onFault: (fault) => faults.add(fault),
    signal: context.signal,
  });
  try {
    for (const column of unseen) faults.addToAll(`--map: no row has a column ${JSON.stringify(column)}`);
    if (faults.count > 0) {
      context.out.warn(`${faults.rest()}Found ${pluralize(faults.count, 'fault')}. Nothing was posted.`);
      return exitCodes.no;
    }
    if (given.check) {
      await sayWhatIsPruned(rows, context, () => context.client({ timeoutMs: checkMs })).catch(() => undefined);
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
  readonly #context: Context;
  count = 0;

  constructor(context: Context) {
    this.#context = context;
  }

  add({ file, line, pointer, message }: RowFault): void {
    this.addToAll(`${file}:${line}: ${pointer}: ${message}`);
  }

  /** A fault of the whole import. */
  addToAll(sentence: string): void {
    this.count += 1;
    const { out } = this.#context;
    if (this.count <= faultsListedMax) out.warn(out.text(sentence));
  }

  rest(): string {
    const more = this.count - faultsListedMax;
    return more > 0 ? `(${more} more not listed.) ` : '';
  }
}

async function post(rows: JudgedRows, context: Context, rate: number | undefined): Promise<number> {
  const { out, signal, clock } = context;
  const client = await context.client({ fetch: keepAliveFetch() });
  await sayWhatIsPruned(rows, context, async () => client);
  const counts: Record<Settled, number> = { posted: 0, known: 0, refused: 0 };
  const progress = new Progress(out.progress, rows.size);
  const summary = () => `${counts.posted} posted, ${counts.known} already in the log, ${counts.refused} refused`;
  try {
    await postRows(rows, {
      client,
      clock,
      rate,
      signal,
      onSettled: (settled) => {
        counts[settled] += 1;
        progress.step();
      },
      onStored: (event) => out.isJson && out.json(event),
      onRefused: ({ file, line }, why) => out.warn(out.text(`${file}:${line}: The service refused the row: ${why}`)),
      onWait: (_error, ms) => out.note(`The service doesn't answer. Retrying in ${Math.ceil(ms / 1000)} s.`),
    });
  } catch (error) {
    progress.end();
    out.warn(`Stopped after ${summary()} (of ${pluralize(rows.size, 'row')}). Run the same command to resume.`);
    throw error;
  }
  progress.end();
  if (!out.isJson) out.line(`${pluralize(rows.size, 'row')}: ${summary()}.`);
  return counts.refused > 0 ? exitCodes.refused : exitCodes.done;
}

/** Analytics windows show the retention; other programs that accept events, such as the mock, don't serve them. */
async function sayWhatIsPruned(rows: JudgedRows, context: Context, client: () => Promise<Client>): Promise<void> {
  try {
    const { body } = await (await client()).getDora({ signal: context.signal });
    const days = body.window.retention_days;
    const pruned = rows.countBefore(context.clock.now().getTime() - days * dayMs);
    if (pruned === 0) return;
    const keeps = `The service keeps events for ${days} days (HISTORY_RETENTION_DAYS)`;
    context.out.warn(`${keeps}: ${pluralize(pruned, 'row')} of ${rows.size} will be deleted within a day.`);
  } catch (error) {
    if (!(error instanceof CallRefused && error.status === 404)) throw error;
  }
}

/** A progress bar on a terminal, else nothing. */
class Progress {
  readonly #bar: cliProgress.SingleBar | undefined;

  constructor(stream: NodeJS.WriteStream | undefined, total: number) {
    if (!stream) return;
    const format = '{bar} {value} of {total} rows, {eta_formatted} left';
    this.#bar = new cliProgress.SingleBar(
      { stream, format, clearOnComplete: true, hideCursor: true },
      cliProgress.Presets.shades_classic,
    );
    this.#bar.start(total, 0);
  }

  step(): void {
    this.#bar?.increment();
  }

  end(): void {
    this.#bar?.stop();
  }
}
