import type { QualityReport } from '@shiplog/contract';

/**
 * A report of log quality without the history that new reporters took in: such rows are late by their dates alone
 * (questions.md 12.10), and no post was held up.
 */
export function withoutHistory({ late_before_reporters: only = 0, ...report }: QualityReport): QualityReport {
  const findings = report.findings.flatMap(({ before_reporter: history = 0, ...finding }) =>
    finding.count > history ? { ...finding, count: finding.count - history } : [],
  );
  const { late } = report.counts;
  const counts = late === undefined ? report.counts : { ...report.counts, late: late - only };
  return { ...report, findings, counts };
}
