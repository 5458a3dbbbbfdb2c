import {
  type AnyEvidenceItem,
  type EvidenceFigure,
  type EvidenceItem,
  type EvidenceReport,
  evidenceFigures,
  evidenceReasons,
} from '@shiplog/contract';
import { expect, test } from 'vitest';
import { evidenceCsv } from '../src/analytics/evidence/evidence-items.tsx';
import { figureRow, reasonWords } from '../src/analytics/evidence/figure-words.ts';
import { itemText, valueText } from '../src/analytics/evidence/sentence.ts';
import { middleOf } from '../src/analytics/evidence/spread.tsx';
import { csvOf } from '../src/ui/csv.ts';

test('each reason in the contract has an explanation that says what to do', () => {
  const known = evidenceFigures.flatMap((figure) => Object.entries(figureRow(figure).reasons));
  expect(new Set(known.map(([reason]) => reason))).toEqual(new Set(evidenceReasons));
  for (const [, { what, todo }] of known) {
    expect(what).toMatch(/^[A-Z].*[^.]$/);
    expect(todo).toMatch(/^[A-Z].*\.$/);
  }
  expect(reasonWords('no-parents', 'lead_time').what).toBe('No promotion path to production was reported');
  expect(reasonWords('open', 'incidents').what).toBe('Not restored yet');
  expect(reasonWords('open', 'stages').what).toBe('Not over yet');
});

test('each figure of the contract has a title and an explanation', () => {
  for (const figure of evidenceFigures) {
    const { title, says } = figureRow(figure);
    expect(title).not.toBe(figure);
    expect(says).toMatch(/^[A-Z].*\.$/);
  }
  expect(figureRow('lead_time').title).toBe('Lead time');
  expect(figureRow('stages').title).toBe('Time in each status');
});

const window = { days: 30, from: '', to: '', retention_days: 90, clamped: false };
const report = (more: Partial<EvidenceReport>): EvidenceReport => ({
  window,
  scope: null,
  figure: 'lead_time',
  value: null,
  unit: 'hours',
  formula: '7 restored + 2 open = 9 incidents',
  counted: 0,
  left_out: [],
  items: [],
  next_cursor: null,
  ...more,
});

test.each<[Partial<EvidenceReport>, string]>([
  [
    { figure: 'deployment_frequency', value: 4.4, unit: 'per_day', counted: 132 },
    '132 deployments that ended ÷ 30 days = 4.4 a day.',
  ],
  [
    {
      figure: 'deployment_frequency',
      value: 4.4,
      unit: 'per_day',
      counted: 132,
      window: { ...window, covered_from: '', covered_days: 10 },
    },
    '132 deployments that ended ÷ 10 covered days = 13.2 a day. Over all 30 days: 4.4 a day.',
  ],
  [{ value: 26.4, counted: 77 }, 'The median of 77 times, the 39th when sorted: 26.4 h.'],
  [{ value: 26.4, counted: 42 }, 'The median of 42 times, between the 21st and the 22nd when sorted: 26.4 h.'],
  [{ value: 26.4, counted: 23 }, 'The median of 23 times, the 12th when sorted: 26.4 h.'],
  [{ value: 26.4, counted: 1 }, 'The only time: 26.4 h.'],
  [{}, 'No times to take a median of.'],
  [
    { figure: 'change_failure_rate', value: 9 / 132, unit: 'ratio', counted: 132 },
    '9 failed ÷ 132 that ended = 6.8 %.',
  ],
  [{ figure: 'change_failure_rate', unit: 'ratio' }, 'Nothing ended, so there is no failure rate.'],
  [
    { figure: 'durations', value: { p50: 12, p95: 90 }, unit: 'minutes', counted: 4 },
    'Of 4 times, half within 12 min, 95 % within 1.5 h.',
  ],
  [
    { figure: 'stages', value: { queued: { p50: 1, p95: 4 }, pending: { p50: null, p95: null } }, unit: 'minutes' },
    'pending: none; queued: half within 1 min, 95 % within 4 min; waiting: none; running: none.',
  ],
  [
    { figure: 'promotion_funnel', value: { preprod: 46, prod: 53 }, unit: 'count' },
    'Different deployments: 46 in preprod, 53 in prod.',
  ],
  [{ figure: 'incidents', value: 9, unit: 'count', counted: 9 }, '7 restored + 2 open = 9 incidents.'],
  [
    { figure: 'rollbacks', value: 3, unit: 'count', counted: 3, left_out: [{ reason: 'no-rollback', count: 120 }] },
    '3 of 123 successes.',
  ],
])('the evidence for a figure shows its formula: %o', (more, sentence) => {
  const shown = report(more);
  expect(figureRow(shown.figure).formula(shown)).toBe(sentence);
});

test('the heading of the evidence shows a figure that is a single number, and the list of times marks its median', () => {
  expect(valueText(report({ value: 26.4 }))).toBe('26.4 h');
  expect(valueText(report({ value: { p50: 1, p95: 2 } }))).toBe('');
  expect(valueText(report({ value: null }))).toBe('none');
  expect(middleOf({ value: 2, unit: 'hours' })).toBe(120);
  expect(middleOf({ value: { p50: 3, p95: 4 }, unit: 'minutes' })).toBe(3);
  expect(middleOf({ value: { queued: { p50: 3, p95: 4 } }, unit: 'minutes' })).toBeNull();
});

const item = {
  service: 'pay "x", y',
  environment: '=1+1',
  deployment_id: 'd',
  at: '2026-05-04T10:00:00Z',
  value: 1.5,
  counted: true,
  reason: null,
  event_ids: ['e1', 'e2'],
};

test("an item's value is shown in the unit of the figure", () => {
  const text = (figure: EvidenceFigure, more: Partial<EvidenceItem> = {}) =>
    itemText({ ...item, ...more }, figureRow(figure).times);
  expect(text('lead_time')).toBe('1.5 h');
  expect(text('durations')).toBe('1.5 min');
  expect(text('stages', { status: 'in-progress' })).toBe('running 1.5 min');
  expect(text('change_failure_rate', { value: 1 })).toBe('');
  expect(text('incidents', { value: null, reason: 'open' })).toBe('open');
  expect(text('deployment_frequency')).toBe('');
});

test('items about outages say why a deployment failed, and name the outages', () => {
  const text = (more: Partial<AnyEvidenceItem>) => itemText({ ...item, ...more }, undefined);
  expect([
    text({ rule: 'rolled-back', value: 1 }),
    text({ rule: 'suspected', value: 0 }),
    text({ rule: null }),
  ]).toEqual([...['rolled back', 'only suspected', '']]);
  const ofOutages: Partial<AnyEvidenceItem> = { rule: 'named', outages: [{ source: 'pager', outage_id: 'INC-7' }] };
  const [head = '', row = ''] = evidenceCsv({ figure: 'change_failure_rate_observed', unit: 'ratio' }, [
    { ...item, ...ofOutages, value: 1 },
  ]).split('\r\n');
  expect([head.split(',').slice(-2), row.split(',').slice(-2)]).toEqual([
    ['rule', 'outages'],
    ['named', 'pager INC-7'],
  ]);
});

test('CSV items are quoted where necessary and contain no spreadsheet formulas', () => {
  expect(evidenceCsv(report({}), [item])).toBe(
    'figure,service,environment,deployment_id,status,at,value (hours),counted,reason,event_ids\r\n' +
      'lead_time,"pay ""x"", y",\'=1+1,d,,2026-05-04T10:00:00Z,1.5,yes,,e1 e2\r\n',
  );
  expect(csvOf(['a'], [['-x'], [-1], ['@y'], ['two\nlines'], [null]])).toBe(
    'a\r\n\'-x\r\n-1\r\n\'@y\r\n"two\nlines"\r\n\r\n',
  );
});
