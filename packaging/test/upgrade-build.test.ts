import { expect, test } from 'vitest';
import { upgrade } from './support/upgrade-run.ts';

test.each([
  ['of the first commits', '0003'],
  ['of version 0.1.0', '0004'],
])('the log %s is usable at once while its figures are prepared', { timeout: 0 }, async (_, last) => {
  const { lines } = await upgrade({ last, rows: 21_000 });
  expect(lines).toContainEqual(
    expect.stringMatching(/^preparing analytics and releases: 10,000 of about 21,00\d events are in$/),
  );
  await expect
    .poll(() => lines)
    .toContainEqual(
      expect.stringMatching(/^prepared analytics and releases: [\d,]+ events in \d+ s, [\d,]+ a second$/),
    );
});
