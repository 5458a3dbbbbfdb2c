import { CallRefused } from '@shiplog/client';
import { withoutHistory } from '@shiplog/contract';
import { allFindings } from '../questions/quality.ts';
import { type Check, finding } from './finding.ts';

/** Of each kind of finding the first so many are told; `shiplog quality` has all. */
const toldOfEach = 3;

/** What the log itself says is wrong with it (questions.md 10). It is told as a note: the installation works. */
export const checkQuality: Check = async ({ client, signal }) => {
  const report = await allFindings(client, {}, signal).catch((error) => {
    if (error instanceof CallRefused && error.status === 404) return undefined;
    throw error;
  });
  if (!report) return [finding('note', 'quality', 'This service does not judge its log; it is of an earlier version.')];
  const { findings, counts } = withoutHistory(report);
  if (findings.length === 0) return [finding('ok', 'quality', 'Nothing is wrong with what was posted.')];
  return Object.entries(counts).flatMap(([kind, count]) => {
    const told = findings.filter((found) => found.kind === kind).slice(0, toldOfEach);
    const lines = told.map(({ service, environment, detail }) => {
      const place = [service, environment].filter((name) => name !== null).join(' in ');
      return finding('note', 'quality', `${kind}${place === '' ? '' : `, ${place}`}: ${detail}`);
    });
    const rest = count - told.length;
    return rest > 0
      ? [...lines, finding('note', 'quality', `${kind}: ${rest} more; see shiplog quality --kind ${kind}.`)]
      : lines;
  });
};
