import type { AnyEvidenceReport, ProvableFigure } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { qualityPage } from '../../state/address.ts';
import { useRecoveries } from '../../ui/answer.ts';
import { useAddress, useApp, useNow } from '../../ui/app.ts';
import { useDrawer } from '../../ui/drawer.ts';
import { Fault } from '../../ui/empty.tsx';
import { Link } from '../../ui/link.tsx';
import { RowsLink, windowRows } from '../links.tsx';
import { periodText } from '../period.ts';
import type { FigureQuery, Question } from '../question.ts';
import { scopeText } from '../scope-text.ts';
import { EvidenceItems, type EvidenceProps } from './evidence-items.tsx';
import { useEvidence } from './evidence-reader.ts';
import { figureRow, reasonWords } from './figure-words.ts';
import { failedOf, valueText } from './sentence.ts';
import { middleOf, Spread } from './spread.tsx';
import './evidence.css';

/** The evidence for a figure, next to the page, which stays usable. */
export function EvidenceDrawer({ figure, question }: { readonly figure: ProvableFigure; readonly question: Question }) {
  const { navigation } = useApp();
  const { figures, slot } = useAddress();
  const nowMs = useNow();
  const query = useSteadyQuery(figure, question);
  const { loaded, askMore } = useEvidence(figure, figures.side, query);
  const close = () => navigation.go({ figures: { ...figures, evidence: undefined, side: 'counted' } });
  // The slot history is on top of this drawer, and each press closes only the top one.
  const { drawer, heading } = useDrawer(slot ? () => undefined : close);
  const { title } = figureRow(figure);
  const value = loaded.kind === 'here' ? valueText(loaded.value.report) : '';
  return (
    <div
      ref={drawer}
      class="stack gap-8 evidence side-panel"
      role="dialog"
      aria-modal="false"
      aria-label={`Evidence: ${title}`}
    >
      <div class="side-head">
        <div>
          <h2 ref={heading} class="title" tabIndex={-1}>
            {title}
            {value && `: ${value}`}
          </h2>
          <p class="small">{plain(`${scopeText(question.scope)}, ${periodText(question.period, nowMs)}`)}</p>
        </div>
        <button type="button" class="square" aria-label="Close the evidence" onClick={close}>
          <Mark shape="cross" />
        </button>
      </div>
      {loaded.kind === 'waiting' && <p class="small">Loading …</p>}
      {loaded.kind === 'failed' && <Fault what={loaded.what} retry={loaded.retry} />}
      {loaded.kind === 'here' && <Evidence loaded={loaded.value} askMore={askMore} />}
    </div>
  );
}

/** Keeps the query with which the figure was opened, so that the list doesn't start over every few minutes. */
function useSteadyQuery(figure: ProvableFigure, { key, query, ofAllEnvironments }: Question): FigureQuery {
  const asked = figureRow(figure).isOfAllEnvironments ? ofAllEnvironments : query;
  return useMemo(() => asked, [figure, key, useRecoveries()]);
}

function Evidence({ loaded, askMore }: EvidenceProps) {
  const { report, items } = loaded;
  const { says, formula, times } = figureRow(report.figure);
  const { side } = useAddress().figures;
  const inMinutes = (value: number) => (times === 'hours' ? value * 60 : value);
  const minutes = items.flatMap((item) => (item.value === null || !item.counted ? [] : [inMinutes(item.value)]));
  const failed = failedOf(report);
  return (
    <>
      <div class="stack gap-4 formula tile breaks">
        <p>{plain(formula(report))}</p>
        <p class="small">{says}</p>
        {failed > 0 && (
          <RowsLink class="small" to={windowRows(report.window, { status: 'failure' })}>
            Show only {failed === 1 ? 'the failure' : `the ${failed} failures`}
          </RowsLink>
        )}
      </div>
      {times && side === 'counted' && <Spread minutes={minutes} middle={middleOf(report)} />}
      <EvidenceItems loaded={loaded} askMore={askMore} />
      <LeftOut report={report} />
    </>
  );
}

/** The number of items left out for each reason, most frequent first. */
function LeftOut({ report }: { readonly report: AnyEvidenceReport }) {
  const { figure, left_out } = report;
  const all = left_out.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return null;
  const reasons = [...left_out].sort((one, other) => other.count - one.count);
  return (
    <section class="stack gap-8 left-out" aria-label="Left out, and why">
      <h3>Left out: {all.toLocaleString('en')}, and why</h3>
      <dl class="card ruled">
        {reasons.map(({ reason, count }) => {
          const { what, todo, isFault } = reasonWords(reason, figure);
          return (
            <div key={reason}>
              <dt>
                <b>{count.toLocaleString('en')}</b> {what}
              </dt>
              <dd class="small">
                {todo} {isFault && <Link to={qualityPage()}>See data quality</Link>}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
