import type { Finding, Reporter } from '@shiplog/contract';
import { ageOf, markdownText } from '@shiplog/text';
import { findingTitles } from '../board/finding-titles.ts';
import { findingEffects, findingPlace } from './finding-effects.ts';
import type { Headline } from './headline.ts';
import { quietIntervals, silenceOf } from './quiet.ts';

/** The page as Markdown, for a ticket or a chat; ages are relative to `nowMs`. */
export function qualityMarkdown(
  { answer, says }: Headline,
  findings: readonly Finding[],
  reporters: readonly Reporter[],
  { production, nowMs }: { readonly production: string; readonly nowMs: number },
): string {
  const found = findings.map((finding) => {
    const [title, effect] = [findingTitles[finding.kind], findingEffects[finding.kind](production)];
    return `- **${title}**: ${markdownText(findingPlace(finding))}. ${markdownText(finding.detail)} ${effect}`;
  });
  const rows = reporters.map((reporter) => {
    const silence = silenceOf(reporter, nowMs);
    const name = `${markdownText(reporterName(reporter))}${silence ? ` (${silence})` : ''}`;
    return `| ${name} | ${reporter.rows_24h} | ${agoText(reporter, nowMs)} | ${usualText(reporter)} |`;
  });
  return [
    `# Can the log be trusted? ${answer}`,
    says,
    ...(found.length > 0 ? [found.join('\n')] : []),
    ...(rows.length > 0
      ? [['| Reporter | Rows in 24 h | Last | Usually every |', '| --- | --- | --- | --- |', ...rows].join('\n')]
      : []),
    '',
  ].join('\n\n');
}

export function reporterName({ reporter }: Pick<Reporter, 'reporter'>): string {
  return reporter ?? 'no name given';
}

/** The time since the last row. Hidden for a reporter with few rows, because it reveals when a single row arrived. */
export function agoText(reporter: Reporter, nowMs: number): string {
  if (reporter.usual_interval_minutes === null) return 'too few events';
  const age = ageOf(Date.parse(reporter.last_at), nowMs);
  const intervals = quietIntervals(reporter, nowMs);
  const pause = intervals === undefined ? '' : `, ${intervals.toLocaleString('en')} × the usual interval`;
  return age === 'now' ? 'just now' : `${age} ago${pause}`;
}

export function usualText({ usual_interval_minutes: minutes }: Pick<Reporter, 'usual_interval_minutes'>): string {
  if (minutes === null) return 'too few events';
  return minutes < 1 / 12 ? 'under 5 s' : ageOf(0, minutes * 60_000);
}
