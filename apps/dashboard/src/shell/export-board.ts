import base from '@shiplog/panels/files/base.css?raw';
import tokens from '@shiplog/panels/files/tokens.css?raw';
import { emptyBoard } from '../board/board.ts';
import { boardContext } from '../board/context.ts';
import { noFacts } from '../board/facts.ts';
import { shownOf } from '../board/shown.ts';
import { filterLabels } from '../filters/filter-labels.ts';
import type { App } from '../ui/app.ts';
import { download } from '../ui/download.ts';
import own from './exported.css?raw';
import { exportedBoard, exportName } from './exported-board.ts';

export function exportBoard({ navigation, connection, past, futureRows, ownership, outage }: App): void {
  const board = connection.board.value ?? emptyBoard;
  const address = navigation.address.value;
  const nowMs = connection.now.present.value;
  const context = boardContext(
    connection.promotionOrder.value,
    futureRows.value,
    ownership.value,
    board.environments,
    past.value.shown === undefined ? connection.facts.value : noFacts,
  );
  const text = exportedBoard({
    shown: shownOf(board, address, context),
    context,
    filters: [...filterLabels(address), ...address.columns.hidden.map((name) => `without environment ${name}`)],
    address: location.href,
    nowMs,
    asOf: past.value.shown,
    outSinceMs: outage.value,
    style: `${tokens}${base}${own}`,
  });
  download(exportName(nowMs), text, 'text/html;charset=utf-8');
}
