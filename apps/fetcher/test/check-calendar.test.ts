import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { checkCommand } from '../src/check/check-command.ts';
import { readConfig } from '../src/config.ts';
import { calendarText } from './support/calendar.ts';

const dayMs = 86_400_000;
const midnight = (days: number) => new Date(Math.floor(Date.now() / dayMs) * dayMs + days * dayMs).toISOString();
const dateOf = (days: number) => midnight(days).slice(0, 10).replaceAll('-', '');

/** Runs --check with these calendars, each with the text of its file; `undefined`: no file. */
async function checked(files: Readonly<Record<string, string | undefined>>, asJson = false) {
  const folder = await testFolder();
  const entries = Object.entries(files).map(([name, text]) => {
    const path = join(folder, `${name}.ics`);
    if (text !== undefined) writeFileSync(path, text);
    return `  - { name: ${name}, file: ${path}, services: "*", environments: prod }`;
  });
  const path = join(folder, 'fetcher.yaml');
  writeFileSync(path, ['version: 1', 'calendars:', ...entries].join('\n'));
  const [written, told]: [string[], string[]] = [[], []];
  const isWhole = await checkCommand({
    config: readConfig({ FETCHER_CONFIG: path }),
    asJson,
    signal: new AbortController().signal,
    write: (text) => void written.push(text),
    tell: (line) => void told.push(line.replace(folder, '')),
  });
  return { isWhole, written: written.join(''), told };
}

const christmas = calendarText([[`DTSTART;VALUE=DATE:${dateOf(2)}`, 'RRULE:FREQ=DAILY;COUNT=3']]);

test('--check says how many freezes each calendar would make', async () => {
  expect(await checked({ christmas, audits: calendarText([]) })).toEqual({
    isWhole: true,
    written: `Calendar christmas: 3 freezes, from ${midnight(2)} to ${midnight(4)}\nCalendar audits: 0 freezes\n`,
    told: [],
  });
});

test('--check reports a calendar that is unreadable or invalid, and shows the others', async () => {
  expect(await checked({ gone: undefined, page: '<html>', christmas })).toEqual({
    isWhole: false,
    written: expect.stringMatching(/^Calendar christmas: 3 freezes, .*\n$/),
    told: [
      "calendar-gone: The calendar can't be read: /gone.ics (ENOENT).",
      'calendar-page: The calendar is invalid: line 1 is not iCalendar.',
    ],
  });
});

test('--check --json lists the calendars', async () => {
  const { written } = await checked({ christmas, page: '<html>' }, true);
  expect(JSON.parse(written)).toEqual({
    ...{ deployments: [], shared_services: [] },
    calendars: [
      { calendar: 'christmas', freezes: 3, first: midnight(2), last: midnight(4), problem: null },
      {
        ...{ calendar: 'page', freezes: null, first: null, last: null },
        problem: 'The calendar is invalid: line 1 is not iCalendar.',
      },
    ],
  });
});
