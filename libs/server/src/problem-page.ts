import { type ProblemName, problemKinds } from '@shiplog/contract';
import { html, page, prose } from './html.ts';

/** The page that explains one kind of problem, at the address that is its `type` (reading 8.4). */
export function problemPage(kind: ProblemName, problemBase: string, style: string): string {
  const problem = problemKinds[kind];
  return page({
    title: `${problem.title} · Shiplog`,
    style,
    body: html`
<main>
<h1>${problem.title}</h1>
<p class="kind"><code>${problemBase}/${kind}</code> · usually with status ${problem.status}</p>
<p>${prose(problem.explanation)}</p>
<p><a href="/docs#problems">All problems and the API</a></p>
</main>`,
  });
}
