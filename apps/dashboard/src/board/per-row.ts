import type { MatrixRow } from '@shiplog/contract';

/**
 * The same question, asked once for each row: a row that nothing touched keeps its identity from board to board, so a
 * change of one service costs one answer, and not one for each of fifty thousand slots.
 */
export function perRow<Answer>(question: (row: MatrixRow) => Answer): (row: MatrixRow) => Answer {
  const answers = new WeakMap<MatrixRow, { readonly answer: Answer }>();
  return (row) => {
    const known = answers.get(row) ?? { answer: question(row) };
    answers.set(row, known);
    return known.answer;
  };
}
