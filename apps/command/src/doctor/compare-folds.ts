import type { FoldComparison } from '@shiplog/contract';
import { pluralize } from '@shiplog/text';
import type { Context } from '../context.ts';
import { exitCodes, Failure } from '../failure.ts';
import { patiently } from '../log/patiently.ts';
import { type Check, finding, within } from './finding.ts';

/** Longer than the service takes for one part. */
const answerMs = 60_000;
/** How long the service may be unavailable or too slow for a part. */
const patienceMs = 300_000;
/** How often a comparison reports its progress. */
const noteMs = 10_000;

type Difference = FoldComparison['differences'][number];
type Place = FoldComparison['next'];

/**
 * Compares the tables behind the figures with the log (`--deep`), part by part. The service reads each part quickly, so
 * a long comparison holds up neither posts nor these tables.
 */
export const compareFolds =
  (context: Pick<Context, 'out' | 'clock' | 'client'>): Check =>
  async (installation) => {
    if (installation.keys.control === undefined) {
      return [finding('fault', 'folds', 'Set SHIPLOG_CONTROL_API_KEY: the comparison needs the control key.')];
    }
    const client = await context.client({ timeoutMs: answerMs });
    const compared = (place: Place): Promise<FoldComparison> =>
      within(installation, { ms: patienceMs, tooLate: tooLate(place) }, (signal) =>
        patiently(context, signal, async () => (await client.compareFolds({ query: place ?? {}, signal })).body),
      );
    const found = new Map<string, Difference>();
    const now = () => context.clock.now().getTime();
    let [rows, notedAt, place, isDone, repair] = [0, now(), null as Place, false, ''];
    while (!isDone) {
      const { fold, differences, ...part } = await compared(place);
      for (const difference of differences) {
        const key = `${fold} ${difference.kind}`;
        found.set(key, { ...difference, ...found.get(key), rows: difference.rows + (found.get(key)?.rows ?? 0) });
      }
      rows += part.compared;
      repair = part.repair;
      place = part.next;
      isDone = place === null;
      if (now() - notedAt < noteMs) continue;
      notedAt = now();
      context.out.note(`Comparing ${fold}: ${pluralize(rows, 'row')} so far`);
    }
    if (found.size === 0) {
      return [finding('ok', 'folds', `${pluralize(rows, 'row')} behind the figures match the log.`)];
    }
    const sentences = [...found].map(([key, difference]) => sentence(key.split(' ')[0] ?? '', difference));
    const rebuild = `Report the differences. After "${repair}" in the database, the service builds these tables again.`;
    return [...sentences, rebuild].map((text) => finding('fault', 'folds', text));
  };

function tooLate(place: Place): Failure {
  const what = place ? `${place.fold} after ${JSON.stringify(place.after)}` : 'the first table';
  return new Failure(exitCodes.no, `No response about ${what} within ${patienceMs / 60_000} minutes. Try again later.`);
}

function sentence(fold: string, { kind, rows, example: { expected, stored } }: Difference): string {
  const counted = pluralize(rows, 'row');
  const [right, wrong] = [JSON.stringify(expected), JSON.stringify(stored)];
  switch (kind) {
    case 'missing':
      return `${fold} lacks ${counted}, such as ${right}.`;
    case 'unexpected':
      return `${fold} has ${counted} too many, such as ${wrong}.`;
    case 'wrong':
      return `${fold} has ${counted} with wrong values, such as ${wrong} instead of ${right}.`;
  }
}
