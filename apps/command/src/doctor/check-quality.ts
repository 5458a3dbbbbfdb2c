import { CallRefused } from '@shiplog/client';
import { withoutHistory } from '@shiplog/contract';
import { allFindings } from '../questions/quality.ts';
import { type Check, finding } from './finding.ts';

/** The number of findings listed per kind. `shiplog quality` lists all. */
const listedPerKind = 3;

/** Lists the data quality findings of the log (questions.md 10). They are notes, because the installation works. */
export const checkQuality: Check = async ({ client, signal }) => {
  const report = await allFindings(client, {}, signal).catch((error) => {
    if (error instanceof CallRefused && error.status === 404)
      return 'This version of the service has no data quality report.';
    if (error instanceof CallRefused && error.status === 503 && error.problem) return error.problem.detail;
    throw error;
  });
  if (typeof report === 'string') return [finding('note', 'quality', report)];
  const { findings, counts } = withoutHistory(report);
  if (findings.length === 0) return [finding('ok', 'quality', 'No data quality findings.')];
  return Object.entries(counts).flatMap(([kind, count]) => {
    const listed = findings.filter((found) => found.kind === kind).slice(0, listedPerKind);
    const lines = listed.map(({ service, environment, detail }) => {
      const slot = [service, environment].filter((name) => name !== null).join(' in ');
      return finding('note', 'quality', `${kind}${slot === '' ? '' : `, ${slot}`}: ${detail}`);
    });
    const remaining = count - listed.length;
    return remaining > 0
      ? [...lines, finding('note', 'quality', `${kind}: ${remaining} more; see shiplog quality --kind ${kind}.`)]
      : lines;
  });
};
