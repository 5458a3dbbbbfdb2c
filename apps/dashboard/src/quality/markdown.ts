import type { Finding, Reporter } from '@shiplog/contract';
import { ageOf, markdownText } from '@shiplog/text';
import { findingPlace, findingWords } from '../board/finding-words.ts';
import type { Headline } from './headline.ts';
import { quietIntervals, silenceOf } from './quiet.ts';

/** The page as Markdown, for a ticket or a chat; `nowMs` is the time that ages count from. */
export function qualityMarkdown(
  { answer, says }: Headline,
  findings: readonly Finding[],
  emitters: readonly Reporter[],
  { production, nowMs }: { readonly production: string; readonly nowMs: number },
): string {
  const found = findings.map((finding) => {
    const { title, effect } = findingWords[finding.kind];
    return `- **${title}**: ${markdownText(findingPlace(finding))}. ${markdownText(finding.detail)} ${effect(production)}`;
  });
  const rows = emitters.map((emitter) => {
    const silence = silenceOf(emitter, nowMs);
    const name = `${markdownText(reporterName(emitter))}${silence ? ` (${silence})` : ''}`;
    return `| ${name} | ${emitter.rows_24h} | ${agoText(emitter, nowMs)} | ${usualText(emitter)} |`;
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

/** How long ago an emitter was last heard of; of few rows that would tell when a single one arrived. */
export function agoText(emitter: Reporter, nowMs: number): string {
  if (emitter.usual_interval_minutes === null) return 'too few to tell';
  const age = ageOf(Date.parse(emitter.last_at), nowMs);
  const intervals = quietIntervals(emitter, nowMs);
  const pause = intervals === undefined ? '' : `, ${intervals.toLocaleString('en')} × its usual pause`;
  return age === 'now' ? 'just now' : `${age} ago${pause}`;
}

/** How often it is usually heard of. */
export function usualText({ usual_interval_minutes: minutes }: Pick<Reporter, 'usual_interval_minutes'>): string {
  if (minutes === null) return 'too few to tell';
  return minutes < 1 / 12 ? 'under 5 s' : ageOf(0, minutes * 60_000);
}
