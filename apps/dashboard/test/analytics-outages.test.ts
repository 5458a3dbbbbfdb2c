import { expect, test } from 'vitest';
import { countsText } from '../src/analytics/outage-cards.tsx';

test.each([
  [{ count: 0, linked: 0, suspected: 0, unlinked: [] }, 'No outage opened in this period.'],
  [{ count: 1, linked: 1, suspected: 0, unlinked: [] }, '1 outage opened: 1 with a named cause.'],
  [
    {
      ...{ count: 6, linked: 1, suspected: 2 },
      unlinked: [
        { reason: 'dismissed' as const, count: 1 },
        { reason: 'no-service' as const, count: 2 },
      ],
    },
    '6 outages opened: 1 with a named cause, 2 with a suspect, 3 without a deployment.',
  ],
])('the outages of a period %j are counted by what is known of their cause', (outages, text) => {
  expect(countsText({ outages })).toBe(text);
});
