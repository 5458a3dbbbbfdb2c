import {
  type AnalyticsWindowName,
  analyticsWindows,
  type DoraReport,
  type StatusDistributionReport,
} from '@shiplog/contract';
import { plain } from '@shiplog/panels/files/dom.js';
import { filterLabels } from '../filters/filter-labels.ts';
import { unfiltered } from '../state/address.ts';
import { useStore } from '../state/store.ts';
import type { Answer } from '../ui/answer.ts';
import { useAddress, useApp } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import '../style/analytics.css';
import '../style/analytics-plots.css';
import '../style/analytics-lists.css';
import { DeployersChart } from './deployers-chart.tsx';
import { DurationsChart } from './durations-chart.tsx';
import { FailureRateChart } from './failure-rate-chart.tsx';
import { type KpiName, kpiTexts } from './figures.ts';
import { FrequencyChart } from './frequency-chart.tsx';
import { FunnelChart } from './funnel-chart.tsx';
import { HeatmapChart } from './heatmap-chart.tsx';
import { IncidentsChart } from './incidents-chart.tsx';
import { KpiCard } from './kpi-card.tsx';
import { type Reports, useReports } from './reports.ts';
import { clampedSentence, windowSentence } from './span.ts';
import { StatusesChart } from './statuses-chart.tsx';

const kpiNames = Object.keys(kpiTexts) as KpiName[];

/** How deploying goes, over a period: the four keys, and eight charts with the rows behind them. */
export function AnalyticsView() {
  const { window } = useAddress();
  const reports = useReports(window);
  if (reports.isAbsent) {
    return (
      <Empty title="The service behind this page has no analytics.">
        <p>
          The board and the feed show what it knows. <Link to={{ view: 'feed' }}>Open the feed</Link>
        </p>
      </Empty>
    );
  }
  return (
    <div class="analytics" aria-busy={reports.isOld}>
      <div class="period-bar">
        <Periods chosen={window} />
        <WindowText {...reports} />
      </div>
      <Unnarrowed />
      {isBare(reports.statuses) ? <NothingYet window={window} /> : <Figures reports={reports} />}
    </div>
  );
}

function Periods({ chosen }: { readonly chosen: AnalyticsWindowName }) {
  return (
    <nav class="periods" aria-label="Period">
      {analyticsWindows.map((name) => (
        <Link key={name} class="chip" to={{ window: name }} aria-current={name === chosen ? 'true' : undefined}>
          {Number.parseInt(name, 10)} days
        </Link>
      ))}
    </nav>
  );
}

function WindowText({ window, isOld }: Pick<Reports, 'window' | 'isOld'>) {
  const nowMs = useStore(useApp().connection.now);
  return (
    <p class="says small" aria-live="polite">
      {isOld && 'Asking …'}
      {!isOld && window && (
        <>
          {windowSentence(window, nowMs)} <span class="clamped">{clampedSentence(window)}</span>
        </>
      )}
    </p>
  );
}

/** The reports are of the whole log: says that the filters of a link change nothing here. */
function Unnarrowed() {
  const labels = filterLabels(useAddress());
  if (labels.length === 0) return null;
  return (
    <p class="note">
      These figures count every event of the period. The filters of this link do not narrow them:{' '}
      <bdi>{plain(labels.join(', '))}</bdi>. <Link to={unfiltered}>Remove the filters</Link>
    </p>
  );
}

/** Whether the period is known to have no rows. */
function isBare(answer: Answer<StatusDistributionReport>): boolean {
  return answer.kind === 'here' && answer.value.statuses.every(({ count }) => count === 0);
}

function NothingYet({ window }: { readonly window: AnalyticsWindowName }) {
  return (
    <Empty title="No events in this period">
      <p>
        What happens today is counted once the period reaches it. <Link to={{ view: 'feed' }}>Open the feed</Link> for
        what is newer
        {window === '30d' ? '.' : ', or choose a longer period.'}
      </p>
    </Empty>
  );
}

function Figures({ reports }: { readonly reports: Reports }) {
  return (
    <>
      <Keys dora={reports.dora} />
      <div class="charts">
        <FrequencyChart answer={reports.frequency} />
        <FailureRateChart answer={reports.failureRate} />
        <DurationsChart answer={reports.durations} />
        <FunnelChart answer={reports.funnel} />
        <StatusesChart answer={reports.statuses} />
        <HeatmapChart answer={reports.heatmap} />
        <DeployersChart answer={reports.deployers} />
        <IncidentsChart answer={reports.incidents} />
      </div>
    </>
  );
}

function Keys({ dora }: { readonly dora: Answer<DoraReport> }) {
  if (dora.kind === 'failed') return <Fault what={dora.what} retry={dora.retry} />;
  const report = dora.kind === 'here' ? dora.value : undefined;
  return (
    <div class="kpis">
      {kpiNames.map((name) => (
        <KpiCard key={name} name={name} kpi={report?.[name]} window={report?.window} />
      ))}
    </div>
  );
}
