import { type Client, followDeployments } from '@shiplog/client';
import { headerNames, type Matrix, nilId } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { globs, serviceFilter } from '../log/globs.ts';
import { refuseUnmatched } from '../log/known-names.ts';
import { patiently } from '../log/patiently.ts';
import { instantOf } from '../time-options.ts';
import { show } from './listing.ts';
import { type MatrixFilter, matrixLines, matrixTable, shownMatrix } from './shown-matrix.ts';

interface BoardOptions {
  readonly services?: readonly string[];
  readonly environments?: readonly string[];
  readonly team?: readonly string[];
  readonly failed?: boolean;
  readonly watch?: boolean;
  readonly at?: string;
  readonly wide?: boolean;
}

/** `shiplog board` (command.md 4). */
export async function showBoard({ options }: Given, context: Context): Promise<number> {
  const given = options as BoardOptions;
  const isEnvironment = globs('--environments', given.environments);
  if (given.watch && given.at !== undefined) throw usageFailure('Give --at or --watch, not both.');
  const query = { at: instantOf('--at', given.at, context.clock.now()) };
  const isWhole = !given.services && !given.environments && !given.team && !given.failed;
  const client = await context.client();
  await refuseUnmatched(client, given, context.signal);
  const scope = { services: given.services, teams: given.team, option: '--services' };
  const isService = await serviceFilter(client, scope, context.signal);
  const filter: MatrixFilter = { isService, isEnvironment, isFailedOnly: given.failed ?? false };
  const filtered = (matrix: Matrix) => (isWhole ? matrix : shownMatrix(matrix, filter));
  const draw = (matrix: Matrix) => drawBoard(context, matrix, given.wide ?? false);
  if (given.watch) await watch(context, client, { filtered, draw });
  else draw(filtered((await client.getMatrix({ query, signal: context.signal })).body));
  return exitCodes.done;
}

function drawBoard({ out, clock }: Context, matrix: Matrix, isWide: boolean): void {
  if (out.isJson) out.json(matrix);
  else if (matrix.rows.length === 0) out.note('No deployments match.');
  else if (out.isTerminal) {
    const hidden = show(out, { ...matrixTable(matrix, clock.now()), ...(!isWide && { widthMax: out.columns }) });
    if (hidden.length > 0)
      out.note(`Hidden for lack of space: ${hidden.map((name) => out.text(name)).join(', ')}. --wide shows all.`);
  } else show(out, { head: [], rows: matrixLines(matrix) });
}

const clearScreen = '\u001b[2J\u001b[H';

interface Watched {
  readonly filtered: (matrix: Matrix) => Matrix;
  readonly draw: (matrix: Matrix) => void;
}

/**
 * Redraws the board after stream events. Events that arrive during an update cause one more update. Retries while the
 * service is unavailable.
 */
async function watch(context: Context, client: Client, { filtered, draw }: Watched): Promise<void> {
  const { out } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal]);
  const first = await client.getMatrix({ signal });
  let etag = first.headers.get(headerNames.etag);
  let before = new Set<string>();
  const present = (matrix: Matrix) => {
    if (out.isJson) return out.json(matrix);
    const rows = matrixLines(matrix);
    if (out.isTerminal) {
      out.line(clearScreen);
      draw(matrix);
    } else show(out, { head: [], rows: rows.filter((row) => !before.has(row.join('\t'))) });
    before = new Set(rows.map((row) => row.join('\t')));
  };
  present(filtered(first.body));
  const isDue = new Due();
  const refresh = async () => {
    while (!signal.aborted) {
      await isDue.next(signal);
      if (signal.aborted) return;
      const headers = etag === null ? {} : { [headerNames.ifNoneMatch]: etag };
      const answer = await patiently(context, signal, () => client.getMatrix({ headers, signal }));
      etag = answer.headers.get(headerNames.etag) ?? etag;
      if (answer.status !== 304) present(filtered(answer.body));
    }
  };
  const follow = async () => {
    const lastEventId = first.headers.get(headerNames.streamPosition) ?? nilId;
    const onDown = (reason: string, ms: number) =>
      out.note(`The stream is unavailable (${out.text(reason)}). Retrying in ${Math.ceil(ms / 1000)} s.`);
    const { url: baseUrl, keys } = context;
    const onOpen = () => isDue.set();
    const frames = followDeployments({ baseUrl, apiKey: keys.api, lastEventId, signal, onDown, onOpen });
    for await (const _ of frames) isDue.set();
  };
  try {
    await Promise.all([follow(), refresh()]);
  } finally {
    ending.abort();
  }
  context.signal.throwIfAborted();
}

/** A request for an update. Requests made during an update are merged into one. */
class Due {
  #isSet = false;
  #wake: () => void = () => undefined;

  set(): void {
    this.#isSet = true;
    this.#wake();
  }

  async next(signal: AbortSignal): Promise<void> {
    if (!this.#isSet && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    this.#isSet = false;
  }
}
