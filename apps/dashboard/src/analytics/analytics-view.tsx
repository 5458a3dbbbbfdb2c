import { type DoraReport, type EvidenceFigure, type FrequencyReport, withoutHistory } from '@shiplog/contract';
import { plain } from '@shiplog/text';
import { filterLabels } from '../filters/filter-labels.ts';
import { home } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import { type Answer, useAnswer } from '../ui/answer.ts';
import { useAddress, useApp, useBoardContext } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import '../style/lists.css';
import './analytics.css';
import './plots.css';
import './lists.css';
import { type AnswerRow, answers } from './answers.ts';
import { type Chart, ChartCard } from './chart-card.tsx';
import { EvidenceDrawer } from './evidence/evidence-drawer.tsx';
import { type KpiName, kpiTexts } from './figures.ts';
import { type Counted, KpiCard } from './kpi-card.tsx';
import { NothingEnded } from './nothing-ended.tsx';
import { type Question, useQuestion } from './question.ts';
import { type Reports, useReports } from './reports.ts';
import { ScopeFilterProvider } from './rows-link.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { beforeSentence, scopeSentence, servicesWord } from './scope-words.ts';
import { clampedSentence, coveredSentence } from './span.ts';

const kpiNames = Object.keys(kpiTexts) as KpiName[];

/** The four keys and the charts, for the period and the filters in the address. */
export function AnalyticsView() {
  const question = useQuestion();
  const { evidence } = useAddress().figures;
  const isBeside = evidence !== undefined && question !== undefined && !('fault' in question);
  return (
    <div class={isBeside ? 'beside' : ''}>
      <Page question={question} />
      {isBeside && (
        <ScopeFilterProvider value={question.scope.filter}>
          <EvidenceDrawer key={evidence} figure={evidence} question={question} />
        </ScopeFilterProvider>
      )}
    </div>
  );
}

function Page({ question }: { readonly question: ReturnType<typeof useQuestion> }) {
  return (
    <div class="stack gap-16 analytics">
      <ScopeBar services={servicesWord(question)} />
      {question === undefined ? (
        <p class="waiting">Loading …</p>
      ) : 'fault' in question ? (
        <Empty title="No events match">
          <p>{plain(question.fault)}</p>
        </Empty>
      ) : (
        <ScopeFilterProvider value={question.scope.filter}>
          <Answers question={question} />
        </ScopeFilterProvider>
      )}
    </div>
  );
}

function Answers({ question }: { readonly question: Question }) {
  const reports = useReports(question);
  if (reports.isAbsent) {
    return (
      <Empty title="This service has no analytics.">
        <p>
          Use the board and the feed instead. <Link to={{ view: 'feed' }}>Open the feed</Link>
        </p>
      </Empty>
    );
  }
  const { frequency } = reports.answers;
  // If the service refuses one of these requests, it refuses all.
  if (frequency.kind === 'failed') return <Fault what={frequency.what} retry={frequency.retry} />;
  const isBare = frequency.kind === 'here' && endedIn(frequency.value) === 0;
  return (
    <div class="stack gap-16 answers" aria-busy={reports.isOld}>
      <ScopeText question={question} reports={reports} />
      <NotNarrowed />
      {isBare && <NothingEnded scope={question.scope} />}
      {isBare && isWithoutEvents(reports.answers) ? null : <Figures question={question} reports={reports} />}
    </div>
  );
}

function isWithoutEvents({ statuses }: Reports['answers']): boolean {
  return statuses.kind === 'here' && statuses.value.statuses.every(({ count }) => count === 0);
}

function endedIn({ buckets }: FrequencyReport): number {
  return buckets.reduce((sum, { success, failure }) => sum + success + failure, 0);
}

function ScopeText({ question, reports }: { readonly question: Question; readonly reports: Reports }) {
  const nowMs = useStore(useApp().connection.now);
  const { before } = useAddress().figures;
  const { dora, isOld, isYoung } = reports;
  const { frequency } = reports.answers;
  // Shown only when complete, because a sentence that arrives later moves everything below it.
  if (isOld || frequency.kind !== 'here' || dora.kind === 'waiting') {
    return (
      <p class="says small" aria-live="polite">
        Asking …
      </p>
    );
  }
  const { window } = frequency.value;
  const clamped = clampedSentence(window);
  const covered = dora.kind === 'here' ? coveredSentence(dora.value.window) : undefined;
  const { ended, rest } = scopeSentence(question.scope, endedIn(frequency.value), window, nowMs);
  return (
    <p class="says small" aria-live="polite">
      Counted: <b>{plain(ended)}</b>
      {plain([rest, before ? beforeSentence(window, nowMs, isYoung) : ''].join(' '))}
      {clamped && <b class="clamped">{clamped}</b>}
      {covered && <b class="clamped">{covered}</b>}
      <FindingsLink question={question} />
    </p>
  );
}

/** The number of log findings in this scope, as a link. Shows nothing while the number is unknown. */
function FindingsLink({ question: { scope, query } }: { readonly question: Question }) {
  const { client } = useApp().connection;
  const { filter } = useAddress();
  const answer = useAnswer(
    async (signal) =>
      withoutHistory((await client.getQuality({ query: { ...scope.query, limit: 1 }, signal })).body).counts,
    [query],
  );
  if (answer.kind !== 'here') return null;
  const count = Object.values(answer.value).reduce((sum, one) => sum + one, 0);
  if (count === 0) return null;
  const { environments } = scope.filter;
  return (
    <Link class="findings-link" to={{ view: 'quality', quality: home.quality, filter: { ...filter, environments } }}>
      {count === 1 ? '1 log finding affects' : `${count} log findings affect`} them
    </Link>
  );
}

/** Names the filters in the address that have no effect on this page. */
function NotNarrowed() {
  const address = useAddress();
  const { services, environments, teams, mine } = home.filter;
  const labels = filterLabels({ ...address, filter: { ...address.filter, services, environments, teams, mine } });
  if (labels.length === 0) return null;
  const { status, actor, deployment, since, until } = home;
  const without = { status, actor, deployment, since, until };
  const filter = { ...address.filter, text: undefined, only: undefined };
  return (
    <p class="note">
      These figures use the service, team and environment filters, but not: <bdi>{plain(labels.join(', '))}</bdi>.{' '}
      <Link to={{ ...without, filter }}>Remove these filters</Link>
    </p>
  );
}

function Figures({ question, reports }: { readonly question: Question; readonly reports: Reports }) {
  const production = useBoardContext().promotionOrder.at(-1) ?? '';
  const context = { before: reports.frequencyBefore, production };
  return (
    <>
      <Keys question={question} dora={reports.dora} />
      <div class="stack gap-16 charts">
        {Object.entries<AnswerRow>(answers).map(([name, { chart }]) => (
          <ChartCard
            key={name}
            chart={chart as Chart<unknown>}
            answer={reports.answers[name as keyof typeof answers]}
            context={context}
          />
        ))}
      </div>
    </>
  );
}

function Keys({ question, dora }: { readonly question: Question; readonly dora: Answer<DoraReport> }) {
  if (dora.kind === 'failed') return <Fault what={dora.what} retry={dora.retry} />;
  const report = dora.kind === 'here' ? dora.value : undefined;
  return (
    <div class="stack gap-16 kpis">
      {kpiNames.map((name) => (
        <Key key={name} name={name} question={question} report={report} />
      ))}
    </div>
  );
}

interface KeyProps {
  readonly name: KpiName;
  readonly question: Question;
  readonly report: DoraReport | undefined;
}

function Key({ name, question, report }: KeyProps) {
  const made = useCounted(name, question);
  return <KpiCard name={name} scope={question.scope} kpi={report?.[name]} window={report?.window} made={made} />;
}

/** How many items a figure counts; `undefined` until the service answers. */
function useCounted(figure: EvidenceFigure, { query }: Question): Counted | undefined {
  const { client } = useApp().connection;
  const answer = useAnswer(
    async (signal) => {
      const { body } = await client.getEvidence({ params: { figure }, query: { ...query, limit: 1 }, signal });
      return { counted: body.counted, all: body.left_out.reduce((sum, { count }) => sum + count, body.counted) };
    },
    [query],
  );
  return answer.kind === 'here' ? answer.value : undefined;
}
