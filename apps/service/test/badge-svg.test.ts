import { type DeploymentEvent, type Status, statuses } from '@shiplog/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { badgeStatusOf } from '../src/domain/badge.ts';
import { badgeSvg } from '../src/domain/badge-svg.ts';
import { shorten, textWidth } from '../src/domain/badge-text.ts';

/** The latest event of each status, as "status minute deployment", newest first. */
function latest(...lines: readonly string[]): DeploymentEvent[] {
  return lines.map((line) => {
    const [status, minute = '0', deployment_id = 'd'] = line.split(' ');
    const happened_at = `2026-05-04T09:${minute.padStart(2, '0')}:00Z`;
    return { status: status as Status, happened_at, deployment_id, version: `${minute}.0` } as DeploymentEvent;
  });
}

test.each([
  ['nothing', [], ['not deployed', undefined]],
  ['a success', ['success 3'], ['succeeded', '3.0']],
  ['a failure after a success', ['failure 4', 'success 3'], ['failed', '4.0']],
  ['a running deployment after a failure', ['in-progress 5', 'failure 4'], ['running', '5.0']],
  ['a waiting deployment next to a success', ['queued 5', 'success 3'], ['succeeded', '3.0']],
  ['a first deployment that waits', ['waiting 5'], ['waits', '5.0']],
  ['a rejected deployment in an empty slot', ['rejected 5'], ['not deployed', undefined]],
  ['a deployment that was cancelled while it ran', ['cancelled 6', 'in-progress 5'], ['called off', '5.0']],
  ['a deployment that was rejected while it ran', ['rejected 6', 'in-progress 5', 'success 1'], ['called off', '5.0']],
  ['a running deployment after another one was cancelled', ['cancelled 6 other', 'in-progress 5'], ['running', '5.0']],
  ['a deployment that restarted after it was cancelled', ['in-progress 5', 'cancelled 4'], ['running', '5.0']],
] as const)('a badge has the state of %s', (_, lines, [state, version]) => {
  expect(badgeStatusOf(latest(...lines))).toEqual({ state, version });
});

test.each([
  [{ version: '1.2', sha: 'a'.repeat(40) }, '1.2'],
  [{ version: '', sha: 'a'.repeat(40) }, 'a'.repeat(12)],
  [{ ref: 'refs/heads/main' }, 'main'],
  [{ run_number: '77' }, '77'],
  [{}, 'd'],
])('%j is shown with the version %s', (fields, version) => {
  const [event] = latest('success 1');
  expect(badgeStatusOf([{ ...event, version: undefined, ...fields } as DeploymentEvent]).version).toBe(version);
});

const badge = { service: 'payments-api', environment: 'prod', label: 'prod' } as const;

test.each([
  ['succeeded', '7.2.0'],
  ['failed', '7.2.0 failed'],
  ['running', '7.2.0 running'],
  ['called off', '7.2.0 called off'],
  ['waits', '7.2.0 waits'],
] as const)('%s has a distinct colour, mark and word', (state, text) => {
  const svg = badgeSvg({ ...badge, status: { state, version: '7.2.0' } });
  expect([...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, content]) => content)).toEqual(['prod', text]);
  expect(svg).toContain(`<title>payments-api in prod: 7.2.0 ${state}</title>`);
  const other = badgeSvg({ ...badge, status: { state: 'not deployed', version: undefined } });
  const markOf = (text: string) => /stroke-width="2".* d="([^"]+)"/.exec(text)?.[1];
  expect(markOf(svg)).not.toBe(markOf(other));
});

test('a badge is laid out by the width of each character, without a font', () => {
  expect(textWidth('', 11)).toBe(0);
  expect(textWidth('prod', 11)).toBe(25.1);
  expect(textWidth('iiii', 11)).toBeLessThan(textWidth('mm', 11));
  expect(textWidth('船', 11)).toBe(11);
  expect(textWidth('e\u0301', 11)).toBe(textWidth('e', 11));
  const svg = badgeSvg({ ...badge, status: { state: 'succeeded', version: '1' } });
  expect(svg).toMatch(/^<svg xmlns="[^"]*" width="71" height="20" viewBox="0 0 71 20"/);
});

test('a long version ends with its last eight characters', () => {
  expect(shorten('2026.11.19-build.4711-g3f2c1a9', 20)).toBe('2026.11.19-…g3f2c1a9');
  expect([...shorten('🚢'.repeat(100), 40)]).toHaveLength(40);
});

test('a badge is well-formed, is on one line, and escapes markup in any name', () => {
  const names = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '"><script>alert(1)</script>',
      "' onload='x",
      ']]>&amp;',
      '\u202eevil',
      '\ud800',
      '__proto__',
      '\0\n',
    ),
  );
  fc.assert(
    fc.property(names, names, names, fc.constantFrom(...statuses), (service, environment, version, eventStatus) => {
      const status = badgeStatusOf([{ ...latest(eventStatus)[0], version } as DeploymentEvent]);
      const svg = badgeSvg({ service, environment, label: environment, status });
      const tags = [...svg.matchAll(/<\/?([a-zA-Z]+)/g)].map(([, name]) => name);
      expect(new Set(tags)).toEqual(new Set(['svg', 'title', 'clipPath', 'rect', 'g', 'path', 'text']));
      expect(tags).toHaveLength(18);
      expect(svg.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toMatch(/&/);
      expect(svg.trimEnd()).not.toMatch(/[\p{Cc}\p{Cs}\p{Bidi_Control}\ufffe\uffff]/u);
      expect([...svg.matchAll(/="([^"]*)"/g)].some(([, value]) => value?.includes('<'))).toBe(false);
    }),
    { numRuns: 500 },
  );
});
