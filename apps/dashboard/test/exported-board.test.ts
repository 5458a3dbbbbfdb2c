import type { MatrixRow } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { noContext } from '../src/board/context.ts';
import { shownOf } from '../src/board/shown.ts';
import { type BoardExport, exportedBoard, exportName } from '../src/shell/exported-board.ts';
import { addressOf } from '../src/state/address.ts';
import { anEvent } from './support/an-event.ts';

const nowMs = Date.parse('2026-11-20T14:32:58Z');

function exported(rows: readonly MatrixRow[], search = '', more: Partial<BoardExport> = {}): string {
  const environments = [...new Set(rows.flatMap(({ slots }) => Object.keys(slots)))];
  const shown = shownOf(boardOf({ environments, rows: [...rows] }), addressOf(search), noContext);
  return exportedBoard({
    shown,
    context: noContext,
    filters: [],
    address: 'https://shiplog.example.com/?only=failed&q=a',
    nowMs,
    asOf: undefined,
    outSinceMs: undefined,
    style: '',
    ...more,
  });
}

/** The text of the table's cells, row by row. */
function tableOf(page: string): string[][] {
  return [...page.matchAll(/<tr>(.*?)<\/tr>/g)].map(([, row = '']) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) =>
      cell
        .replace(/<span>/g, ' / ')
        .replace(/<[^>]*>/g, '')
        .trim(),
    ),
  );
}

const failed: MatrixRow = {
  service: 'order-svc',
  slots: {
    prod: {
      current: anEvent({ version: '2.11.0', status: 'failure' }),
      last_successful: anEvent({ version: '2.10.7', happened_at: '2026-05-02T10:00:00Z' }),
      next: anEvent({ version: '2.12.0', status: 'queued', happened_at: '2026-05-04T09:20:00Z' }),
    },
    dev: { current: anEvent({ version: '2.12.0' }) },
  },
};
const well: MatrixRow = { service: 'ledger', slots: { dev: { current: anEvent({ version: '1' }) } } };

test('the exported table has the rows and columns of the view, with each cell’s text and time in UTC', () => {
  const page = exported([well, failed]);
  expect(tableOf(page)).toEqual([
    ['Service', 'dev', 'prod'],
    ['ledger', '1 / succeeded 2026-05-04 09:12:02 UTC', ''],
    [
      'order-svc',
      '2.12.0 / succeeded 2026-05-04 09:12:02 UTC',
      '2.11.0 / failed 2026-05-04 09:12:02 UTC / last success 2.10.7 2026-05-02 10:00:00 UTC / next 2.12.0 queued 2026-05-04 09:20:00 UTC',
    ],
  ]);
  expect(page).toContain('2 services, 2 environments, 1 failed, 0 running. No filters.');
  expect(page).toMatch(/href="https:\/\/shiplog\.example\.com\/\?only=failed&amp;q=a">.*at 2026-11-20 14:32:58 UTC\./);
  const narrowed = exported([well, failed], '?only=failed&environment=prod', { filters: ['failed only'] });
  expect(tableOf(narrowed).map(([name]) => name)).toEqual(['Service', 'order-svc']);
  expect(narrowed).toContain('Filters: failed only.');
});

test('an exported board says so if it may be out of date', () => {
  expect(exported([well])).not.toContain('not reachable');
  expect(exported([well], '', { outSinceMs: nowMs - 60_000 })).toContain('The board is from 2026-11-20 14:31:58 UTC');
});

test('an exported past board states its time', () => {
  const page = exported([well], '', { asOf: '2026-11-19T14:05:00Z' });
  expect(page).toContain('<h1>What was deployed where at 2026-11-19 14:05:00 UTC</h1>');
  expect(page).toContain('at 2026-11-20 14:32:58 UTC. It is a snapshot');
});

test('the name of the exported file contains the time', () => {
  expect(exportName(nowMs)).toBe('shiplog-board-2026-11-20T14-32.html');
});

test('hostile names in an exported board are shown as plain text', () => {
  const tagsOf = (page: string) => [...page.matchAll(/<[!/]?[a-z]+/gi)].map(([tag]) => tag);
  const made = (name: string) => {
    const event = anEvent({ service: name, environment: name, version: name, happened_at: '2026-05-04T09:12:02Z' });
    return exported([{ service: name, slots: { [name]: { current: event } } }], '', { filters: [name], address: name });
  };
  const due = tagsOf(made('x'));
  const names = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom(
      '</style><script>alert(1)</script>',
      '"onclick="x',
      "' x='",
      '<!--',
      '&lt;b&gt;',
      '\u202etxt',
      ']]>',
    ),
  );
  fc.assert(
    fc.property(
      names.filter((name) => name !== '__proto__'),
      (name) => {
        const page = made(name);
        expect(tagsOf(page)).toEqual(due);
        expect(page).not.toMatch(/\p{Bidi_Control}/u);
        expect(page).not.toMatch(/&(?!(amp|lt|gt|quot|#39);)/);
      },
    ),
    { numRuns: 300 },
  );
});
