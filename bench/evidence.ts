import { type EvidenceReport, endpoints, evidenceFigures } from '@shiplog/contract';
import type { Figure } from './harness/figure.ts';
import { repeatedAnswerMs, timedGet } from './harness/http.ts';
import type { Stage } from './harness/stage.ts';

const repetitions = 3;

/** Evidence: the middle page of each figure compared with its first page. */
export async function evidencePages(stage: Stage, log: string): Promise<Figure> {
  const first: number[] = [];
  const deep: number[] = [];
  for (const figure of evidenceFigures) {
    const url = `${stage.url}${endpoints.getEvidence.path.replace('{figure}', figure)}`;
    const cursor = await middleOf(url);
    first.push(await repeatedAnswerMs(`${url}?window=30d`, repetitions));
    deep.push(await repeatedAnswerMs(`${url}?window=30d&cursor=${cursor}`, repetitions));
  }
  return {
    goal: 'questions',
    title: `middle page of evidence, ${evidenceFigures.length} figures, ${log}`,
    measured: deep,
    unit: 'ms',
    yardstick: { title: 'first page', measured: first },
    reach: { atMost: 2 },
  };
}

/** A cursor is valid in any window. This cursor points after the newest item of the first half. */
async function middleOf(url: string): Promise<string> {
  const read = async (query: string): Promise<EvidenceReport> => JSON.parse((await timedGet(`${url}?${query}`)).body);
  const { from, to } = (await read('window=30d&limit=1')).window;
  const middle = new Date((Date.parse(from) + Date.parse(to)) / 2).toISOString();
  const { next_cursor: cursor } = await read(`from=${from}&to=${middle}&limit=1`);
  if (cursor === null) throw new Error(`${url} has nothing in the middle of its window`);
  return cursor;
}
