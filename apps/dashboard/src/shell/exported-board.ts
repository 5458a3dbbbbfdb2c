import type { DeploymentEvent, MatrixRow } from '@shiplog/contract';
import { shapes, statusLook } from '@shiplog/panels/files/marks.js';
import { plain, pluralize, versionOf } from '@shiplog/text';
import { inUtc } from '../board/age.ts';
import { isEffective } from '../board/board.ts';
import { type Box, boxIn, lookOf } from '../board/box.ts';
import type { BoardContext } from '../board/context.ts';
import { teamOf } from '../board/ownership.ts';
import type { Shown } from '../board/shown.ts';

export interface BoardExport {
  readonly shown: Pick<Shown, 'rows' | 'columns' | 'counts'>;
  readonly context: BoardContext;
  readonly filters: readonly string[];
  readonly address: string;
  readonly nowMs: number;
  readonly asOf: string | undefined;
  /** During an outage, the time of the service's last response. */
  readonly outSinceMs: number | undefined;
  readonly style: string;
}

/** The file name, with a time in UTC: `shiplog-board-2026-11-20T14-32.html`. */
export function exportName(nowMs: number): string {
  return `shiplog-board-${new Date(nowMs).toISOString().slice(0, 16).replace(':', '-')}.html`;
}

/** The board as a self-contained page: one table with absolute times in UTC, no script, no external resources. */
export function exportedBoard(board: BoardExport): string {
  const { shown, filters, address, nowMs, asOf, outSinceMs, style } = board;
  const { rows, columns, counts } = shown;
  const atMs = (ms: number) => inUtc(new Date(ms).toISOString());
  const title = `Shiplog board, ${asOf === undefined ? atMs(nowMs) : `as it was at ${inUtc(asOf)}`}`;
  const sum = [
    pluralize(counts.services, 'service'),
    pluralize(counts.environments, 'environment'),
    `${counts.failed} failed`,
    `${counts.running} running`,
  ];
  const narrowed = filters.length > 0 ? `Filters: ${filters.join(', ')}.` : 'No filters.';
  const outage =
    outSinceMs === undefined
      ? ''
      : `<p class="bad"><strong>${escapeHtml(`Shiplog was not reachable at the time of the export. The board is from ${atMs(outSinceMs)} and may have been out of date.`)}</strong></p>`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    `</head><body>${symbols}<main>`,
    asOf === undefined
      ? '<h1>What is deployed where</h1>'
      : `<h1>What was deployed where at ${escapeHtml(inUtc(asOf))}</h1>`,
    `<p>Exported from <a href="${escapeHtml(address)}">${escapeHtml(address)}</a> at ${escapeHtml(atMs(nowMs))}. It is a snapshot and does not update.</p>`,
    `<p>${escapeHtml(`${sum.join(', ')}. ${narrowed}`)}</p>`,
    outage,
    '<div class="scroll" tabindex="0" role="region" aria-label="The board"><table>',
    `<thead><tr><th scope="col">Service</th>${columns.map((name) => `<th scope="col">${nameMarkup(name)}</th>`).join('')}</tr></thead>`,
    '<tbody>',
    ...rows.map((row) => rowMarkup(row, board)),
    '</tbody></table></div></main></body></html>\n',
  ].join('\n');
}

function rowMarkup(row: MatrixRow, { shown, context }: BoardExport): string {
  const team = teamOf(context.ownership, row.service);
  const cells = shown.columns.map((environment) => {
    const box = boxIn(row, environment, context.futureRows);
    return box ? `<td class="${lookOf(box)}">${boxMarkup(box)}</td>` : '<td></td>';
  });
  return `<tr><th scope="row">${nameMarkup(row.service)}${team === undefined ? '' : lineMarkup(nameMarkup(team))}</th>${cells.join('')}</tr>`;
}

function boxMarkup({ isFirst, named: event, latest, isInFuture, warned, hidden, lastSuccess, next }: Box): string {
  const [, label] = statusLook(latest.status);
  return [
    `${iconMarkup(latest)}<b>${nameMarkup(versionOf(event))}</b>`,
    lineMarkup(
      `${escapeHtml(isFirst ? `first ${label}` : label)} ${timeMarkup(latest)}${isInFuture ? ', dated ahead' : ''}`,
    ),
    hidden ? lineMarkup(`hides ${eventText(hidden)}`) : '',
    warned ? lineMarkup(`▲ ${isEffective(latest) ? 'last attempt failed' : 'failed before'}`) : '',
    lastSuccess ? lineMarkup(`last success ${nameMarkup(versionOf(lastSuccess))} ${timeMarkup(lastSuccess)}`) : '',
    next ? lineMarkup(`next ${eventText(next)}`) : '',
  ].join('');
}

function eventText(event: DeploymentEvent): string {
  return `${nameMarkup(versionOf(event))} ${escapeHtml(statusLook(event.status)[1])} ${timeMarkup(event)}`;
}

function timeMarkup({ happened_at }: DeploymentEvent): string {
  return `<time datetime="${escapeHtml(happened_at)}">${escapeHtml(inUtc(happened_at))}</time>`;
}

function lineMarkup(markup: string): string {
  return `<span>${markup}</span>`;
}

function iconMarkup({ status }: DeploymentEvent): string {
  return `<svg aria-hidden="true"><use href="#${statusLook(status)[0]}"/></svg>`;
}

/** Defines every icon once. Cells refer to the icons. */
const symbols = `<svg class="symbols">${Object.entries(shapes)
  .map(
    ([name, [area, path]]) =>
      `<symbol id="${name}" viewBox="0 0 16 16"><path d="${area}" fill="currentColor"/><path d="${path}" class="${area ? 'hole' : 'line'}"/></symbol>`,
  )
  .join('')}</svg>`;

function nameMarkup(name: string): string {
  return `<bdi>${escapeHtml(name)}</bdi>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return plain(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
