import type { Database } from '../../src/db/database.ts';
import { type Comparison, compareFold, firstPlace } from '../../src/db/folds/compare.ts';

/** Compares all folds in ranges of this many events, and returns the comparisons. */
export async function comparedFolds(
  { questions }: Pick<Database, 'questions'>,
  events?: number,
): Promise<Comparison[]> {
  const compared: Comparison[] = [];
  for (let place = firstPlace; place; place = compared.at(-1)?.next ?? null) {
    const from = place;
    compared.push(await questions.session((session) => compareFold(session, from, events)));
  }
  return compared;
}

/** The differences of all folds from plain SQL over the log. */
export async function foldDifferences(database: Pick<Database, 'questions'>, events?: number) {
  return (await comparedFolds(database, events)).flatMap(({ fold, differences }) =>
    differences.map((difference) => ({ fold, ...difference })),
  );
}
