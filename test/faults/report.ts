import type { Violation } from './checks/violation.ts';
import type { KindCount } from './injector.ts';
import type { RunResult } from './run.ts';
import { inMb, mostOf } from './vitals.ts';

const examplesMax = 20;

/** The report of a run as Markdown: faults by kind, and the results. */
export function report({ seed, seconds, kinds, history, violations, noDisk, vitals }: RunResult): string {
  const rows = [...kinds].sort(([left], [right]) => (left < right ? -1 : 1));
  const faults = rows.reduce((sum, [, { count }]) => sum + count, 0);
  const statuses = [...history.statuses];
  const others = statuses.filter(([status]) => status >= 500 && status !== 503);
  const count = (kind: Violation['kind']) => String(violations.filter((violation) => violation.kind === kind).length);
  const longest = Math.max(0, ...rows.map(([, { readyMsMax }]) => readyMsMax ?? 0));
  const figures = [
    ['Faults', String(faults)],
    ['Posts with status 201', thousands(history.posts.filter(({ status }) => status === 201).length)],
    ['Posts refused with 503', thousands(history.posts.filter(({ status }) => status === 503).length)],
    ['Posts whose connection was cut', thousands(history.posts.filter(({ status }) => status === undefined).length)],
    ['Frames', thousands(history.frames)],
    ['Lost', count('lost')],
    ['Duplicated', count('duplicated')],
    ['Out of order', count('out of order')],
    ['5xx other than 503', thousands(others.reduce((sum, [, answers]) => sum + answers, 0))],
    ['Other violations', String(violations.filter(({ kind }) => !counted.includes(kind)).length)],
    ['Longest time until ready again', inSeconds(longest)],
    ['Peak memory of the instance that is never stopped', inMb(mostOf(vitals, 'residentBytes'))],
    ['Most that it buffered for one reader', inMb(mostOf(vitals, 'backlogBytes'))],
  ];
  return [
    `Seed ${seed}, ${Math.round(seconds)} s.`,
    table([['Fault', 'Times', 'Longest time until ready again'], ...rows.map(kindRow)]),
    table([['Figure', 'Seen'], ...figures]),
    ...(noDisk === '' ? [] : [`The disk was not really full; the database simulated the error: ${noDisk}.`]),
    ...examples(violations),
  ].join('\n\n');
}

const counted: readonly Violation['kind'][] = ['lost', 'duplicated', 'out of order'];

function kindRow([kind, { count, readyMsMax }]: [string, KindCount]): string[] {
  return [kind, String(count), readyMsMax === undefined ? '—' : inSeconds(readyMsMax)];
}

/** Examples of violations, by kind. */
function examples(violations: readonly Violation[]): string[] {
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  const lines = kinds.flatMap((kind) => {
    const ofKind = violations.filter((violation) => violation.kind === kind);
    const shown = ofKind.slice(0, examplesMax).map(({ what }) => `- ${kind}: ${what}`);
    return ofKind.length > examplesMax ? [...shown, `- ${kind}: ${ofKind.length - examplesMax} more`] : shown;
  });
  return lines.length > 0 ? [lines.join('\n')] : [];
}

export function table([heads = [], ...rows]: readonly (readonly string[])[]): string {
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
