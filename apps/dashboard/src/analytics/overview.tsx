import type { FrequencyReport } from '@shiplog/contract';
import { plain, pluralize } from '@shiplog/text';
import { useMemo } from 'preact/hooks';
import { emptyBoard } from '../board/board.ts';
import { everyEnvironment } from '../board/scope.ts';
import { useStore } from '../state/store.ts';
import { useAddress, useApp, useBoard, useBoardContext } from '../ui/app.ts';
import { Empty, Fault } from '../ui/empty.tsx';
import { Link } from '../ui/link.tsx';
import { chartTables, MoreCharts } from './charts/more-charts.tsx';
import { figuresCsv } from './csv.ts';
import { keyNames } from './figures.ts';
import { FrequencyChart } from './frequency-chart.tsx';
import { KeyCard } from './key-card.tsx';
import { OutageCards } from './outage-cards.tsx';
import { coverageText, dayLabel, logBegin, periodText } from './period.ts';
import type { Question, useQuestion } from './question.ts';
import { type Reports, useReports } from './reports.ts';
import { csvName, hasNoPrevious, noPreviousText, placeText, servicesText } from './scope-text.ts';
import { type Teams, teamsIn, useTeamReports } from './teams.ts';
import { TeamsTable } from './teams-table.tsx';
import { type CsvFile, Toolbar } from './toolbar.tsx';

/** The four keys, the deployments per day, and the teams, for the period and the filters in the address. */
export function Overview({ question }: { readonly question: ReturnType<typeof useQuestion> }) {
  const asked = question === undefined || 'fault' in question ? undefined : question;
  const reports = useReports(asked);
  const teams = useTeams(asked);
  const teamReports = useTeamReports(teams.teams, asked);
  const { window } = reports;
  return (
    <>
      <Toolbar
        services={servicesText(question && ('fault' in question ? question : question.scope))}
        noPrevious={window && logBegin(window) && `log begins ${dayLabel(logBegin(window) ?? '')}`}
        csv={useCsv(asked, reports, teams, teamReports.reports)}
      />
      {question === undefined && <p class="waiting">Loading …</p>}
      {question && 'fault' in question && (
        <Empty title="No events match">
          <p>{plain(question.fault)}</p>
        </Empty>
      )}
      {asked && <Answers question={asked} reports={reports} teams={teams} teamReports={teamReports} />}
    </>
  );
}

function useTeams(question: Question | undefined): Teams {
  const { filter } = useAddress();
  const board = useBoard() ?? emptyBoard;
  const context = useBoardContext();
  // The services of a team change with the board, but only a different query changes its figures.
  return useMemo(() => teamsIn(filter, board, context), [question?.key, context.ownership]);
}

function useCsv(
  question: Question | undefined,
  { dora, frequency, outages, earlier, isOld, isComparing }: Reports,
  { teams }: Teams,
  reports: ReturnType<typeof useTeamReports>['reports'],
): CsvFile | undefined {
  const { client } = useApp().connection;
  const isHere = question && dora.kind === 'here' && frequency.kind === 'here' && !isOld && !isComparing;
  if (!isHere || teams.some(({ name }) => !reports.has(name))) return undefined;
  const rows = teams.map(({ name, scope: { services } }) => ({ name, services, report: reports.get(name) }));
  return {
    name: csvName(question.scope, question.period),
    text: async () => {
      const charts = await chartTables(client, question);
      return figuresCsv({
        ...{ question, dora: dora.value, frequency: frequency.value, earlier, teams: rows, charts },
        outages: outages?.kind === 'here' ? outages.value : undefined,
      });
    },
  };
}

interface AnswersProps {
  readonly question: Question;
  readonly reports: Reports;
  readonly teams: Teams;
  readonly teamReports: ReturnType<typeof useTeamReports>;
}

function Answers({ question, reports, teams, teamReports }: AnswersProps) {
  const { dora, frequency, outages, earlier, isOld } = reports;
  if (reports.isAbsent) {
    return (
      <Empty title="This service has no analytics.">
        <p>
          Use the board and the changes instead. <Link to={{ view: 'changes' }}>Open the changes</Link>
        </p>
      </Empty>
    );
  }
  // If the service refuses one of these requests, it refuses all.
  if (frequency.kind === 'failed') return <Fault what={frequency.what} retry={frequency.retry} />;
  // The parts appear together, so that none moves another.
  if (frequency.kind === 'waiting' || dora.kind === 'waiting' || outages?.kind === 'waiting') {
    return (
      <div class="stack answers" aria-busy>
        <Sentence question={question} reports={reports} />
      </div>
    );
  }
  const isBare = endedIn(frequency.value) === 0;
  const report = dora.kind === 'here' ? dora.value : undefined;
  return (
    <div class="stack answers" aria-busy={isOld}>
      <Sentence question={question} reports={reports} />
      <NotNarrowed />
      {isBare ? (
        <NothingEnded question={question} />
      ) : (
        <>
          {dora.kind === 'failed' && <Fault what={dora.what} retry={dora.retry} />}
          <div class="stack keys">
            {keyNames.map((name) => (
              <KeyCard key={name} {...{ name, question, report }} noPrevious={noPreviousText(report, earlier)} />
            ))}
          </div>
          {outages?.kind === 'failed' && <Fault what={outages.what} retry={outages.retry} />}
          {outages?.kind === 'here' && (
            <OutageCards
              {...{ question, report: outages.value, ended: endedIn(frequency.value) }}
              noPrevious={noPreviousText(report, earlier)}
            />
          )}
          <FrequencyChart report={frequency.value} earlier={earlier} />
          {report && teams.teams.length > 0 && (
            <TeamsTable question={question} teams={teams} reports={teamReports} dora={report} />
          )}
        </>
      )}
      <MoreCharts question={question} />
    </div>
  );
}

function endedIn({ buckets }: FrequencyReport): number {
  return buckets.reduce((sum, { success, failure }) => sum + success + failure, 0);
}

function Sentence({ question: { scope }, reports }: { readonly question: Question; readonly reports: Reports }) {
  const nowMs = useStore(useApp().connection.now);
  const { compare } = useAddress().figures;
  const { dora, frequency, earlier, isOld } = reports;
  if (isOld || frequency.kind !== 'here') {
    return (
      <p key="asking" class="says small" aria-live="polite">
        Asking …
      </p>
    );
  }
  const { window } = frequency.value;
  const where = scope.isProduction ? ` (${scope.environments})` : '';
  const who = scope.who === undefined ? '' : `, of ${scope.who}`;
  const isPartial = compare && dora.kind === 'here' && hasNoPrevious(dora.value);
  const before =
    logBegin(window) !== undefined
      ? ' There is no previous period to compare.'
      : isPartial
        ? ' The log does not cover all of the previous period, so the figures are not compared with it.'
        : compare && earlier && ` Compared with ${periodText(earlier.window, nowMs)}.`;
  return (
    <p class="says small" aria-live="polite">
      <b>{plain(`${pluralize(endedIn(frequency.value), 'deployment')} ended ${placeText(scope)}`)}</b>
      {plain(`${where} ${coverageText(window, nowMs)}${who}.`)}
      {before}
      {window.clamped && ` The service keeps its log for ${pluralize(window.retention_days, 'day')}.`}
    </p>
  );
}

/** Names the filters in the address that have no effect on this page. */
function NotNarrowed() {
  const { filter } = useAddress();
  const unused = [filter.text && `text “${filter.text}”`, filter.only && `${filter.only} only`].filter(Boolean);
  if (unused.length === 0) return null;
  return (
    <p class="note">
      These figures don’t use the filter <bdi>{plain(unused.join(', '))}</bdi>.{' '}
      <Link to={{ filter: { ...filter, text: undefined, only: undefined } }}>Remove it</Link>
    </p>
  );
}

/** Offers a longer period and other environments if there is nothing to count. */
function NothingEnded({ question: { scope } }: { readonly question: Question }) {
  const { range, filter } = useAddress();
  const isEmpty = (useBoard()?.rows.size ?? 0) === 0;
  if (isEmpty) return <Empty title="No data yet" />;
  return (
    <Empty title={plain(`Nothing ended ${placeText(scope)} in this period`)}>
      <p class="wrap">
        {range?.name !== 'last-quarter' && <Link to={{ range: { name: 'last-quarter' } }}>Last quarter</Link>}
        {scope.environments !== undefined && (
          <Link to={{ filter: { ...filter, environments: [everyEnvironment] } }}>All environments</Link>
        )}
        <Link to={{ view: 'changes' }}>Open the changes</Link>
      </p>
    </Empty>
  );
}
