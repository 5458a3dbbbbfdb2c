import type { MatrixRow } from '@shiplog/contract';
import { attentionOf } from '../../src/board/attention.ts';
import { boardOf } from '../../src/board/board.ts';
import type { BoardContext } from '../../src/board/context.ts';
import { shownOf } from '../../src/board/shown.ts';
import { home } from '../../src/state/address.ts';
import { headlineOf, subOf } from '../../src/wall/headline.ts';
import { wallContent } from '../../src/wall/wall-content.ts';

interface WallOptions {
  readonly context: BoardContext;
  readonly columns: readonly string[];
  readonly nowMs: number;
}

/** The headline of a wall with its tone, the line below it, and the wall's rows. */
export function wallOf(rows: readonly MatrixRow[], { context, columns, nowMs }: WallOptions) {
  const shown = shownOf(boardOf({ environments: [...columns], rows: [...rows] }), home, context);
  const attention = attentionOf(rows, columns, context, nowMs);
  const content = wallContent(shown, { context, attention, nowMs, isOut: false });
  const facts = { shown, attention, stages: context.stages };
  const { tone, service, text } = headlineOf(facts);
  return {
    headline: `${tone}: ${service}${text}`,
    sub: subOf(facts, content, [], nowMs).map((part) => part.map((each) => each.text).join('')),
    rows: content.rows,
  };
}
