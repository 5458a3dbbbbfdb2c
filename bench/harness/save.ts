import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plot } from './plot.ts';
import { curvesOf, dayOf, page, type Report, replacePart, summaryPart } from './report.ts';

const resultsFolder = 'bench/results';
const plotsFolder = 'docs/images/performance';
const documentation = 'docs/performance.md';

/**
 * Writes a run below `root`. A later run on the same day replaces its page. Every run replaces the plots and the
 * generated part of the documentation. Returns the paths relative to `root`.
 */
export async function save(root: string, report: Report): Promise<string[]> {
  const result = `${resultsFolder}/${dayOf(report)}.md`;
  await mkdir(join(root, resultsFolder), { recursive: true });
  await writeFile(join(root, result), page(report));
  await rm(join(root, plotsFolder), { recursive: true, force: true });
  await mkdir(join(root, plotsFolder), { recursive: true });
  for (const curve of curvesOf(report)) await writeFile(join(root, plotsFolder, `${curve.name}.svg`), plot(curve));
  const text = await readFile(join(root, documentation), 'utf8');
  await writeFile(join(root, documentation), replacePart(text, summaryPart(report)));
  return [result, documentation, ...curvesOf(report).map(({ name }) => `${plotsFolder}/${name}.svg`)];
}
