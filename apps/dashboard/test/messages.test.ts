import { expect, test } from 'vitest';
import { boardOf } from '../src/board/board.ts';
import { type News, newsIn, posted } from '../src/live/messages.ts';
import { anEvent } from './support/an-event.ts';

test('a board comes from the worker as it was sent, whatever its names; other news is sent as it is', () => {
  const names = ['__proto__', 'constructor', '\u202eevil', '<img src=x>', '\ud800'];
  const slots = Object.fromEntries(names.map((name) => [name, { current: anEvent({ environment: name }) }]));
  const news: News = { kind: 'board', environments: names, rows: names.map((service) => ({ service, slots })) };
  const come = newsIn(posted(news));
  expect(come).toEqual(news);
  expect(come.kind === 'board' && [...boardOf({ environments: names, rows: [...come.rows] }).rows.keys()]).toEqual(
    names,
  );
  const clock: News = { kind: 'clock', offsetMs: 5 };
  expect(newsIn(posted(clock))).toBe(clock);
});
