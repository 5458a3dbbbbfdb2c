import { type FindingKind, findingKinds, type QualityReport } from '@shiplog/contract';
import { plain, pluralize } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { emptyBoard } from '../board/board.ts';
import { findingTitles } from '../board/finding-titles.ts';
import { everyEnvironment, type Scope, scopeOf } from '../board/scope.ts';
import { EnvironmentMenu } from '../filters/environment-menu.tsx';
import { GlobChips } from '../filters/glob-chips.tsx';
import { TeamMenu } from '../filters/team-menu.tsx';
import { useAddress, useApp, useBoard, useBoardContext, useNow } from '../ui/app.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Empty, Fault } from '../ui/empty.tsx';
import { Menu } from '../ui/menu.tsx';
import { ShareButton } from '../ui/share-button.tsx';
import { Findings } from './findings.tsx';
import { findingsIn, headlineOf } from './headline.ts';
import { qualityMarkdown } from './markdown.ts';
import { type LoadedQuality, useQuality } from './quality-reader.ts';
import { silenceOf } from './quiet.ts';
import { Refused } from './refused.tsx';
import { Reporters } from './reporters.tsx';
import '../style/lists.css';
import './quality.css';

/** Log quality: the reporters, the problems in the log and what to do about them. */
export function QualityView() {
  const { filter } = useAddress();
  const board = useBoard() ?? emptyBoard;
  const beside = useBoardContext();
  const scope = useMemo(() => {
    const environments = filter.environments.length > 0 ? filter.environments : [everyEnvironment];
    return scopeOf({ ...filter, environments }, board, beside);
  }, [filter, board, beside]);
  if ('fault' in scope) {
    return (
      <div class="stack quality">
        <Bar counts={undefined} />
        <Empty title="No services match">
          <p>{plain(scope.fault)}</p>
        </Empty>
      </div>
    );
  }
  return <Quality scope={scope} />;
}

function Quality({ scope }: { readonly scope: Scope }) {
  const { kinds } = useAddress().quality;
  const { loaded, askMore } = useQuality(scope.query, kinds);
  const report = loaded.kind === 'here' ? loaded.value : undefined;
  return (
    <div class="stack quality">
      {report ? (
        <Head report={report} services={scope.services} />
      ) : (
        <div class="card quality-card wrap quality-head" />
      )}
      <Bar counts={report?.counts}>
        {report ? <Copied report={report} services={scope.services} /> : <NotYetCopied />}
      </Bar>
      {loaded.kind === 'waiting' && <p class="waiting">Loading …</p>}
      {loaded.kind === 'failed' && <Fault what={loaded.what} retry={loaded.retry} />}
      {report && (
        <div class="parts stack quality-parts">
          <Findings loaded={report} all={findingsIn(report.counts, kinds)} askMore={askMore} />
          <Reporters reporters={report.emitters} />
        </div>
      )}
      {report?.refused && <Refused refused={report.refused} />}
    </div>
  );
}

interface PartProps {
  readonly report: LoadedQuality;
  readonly services: number;
}

function Head({ report, services }: PartProps) {
  const { counts, emitters } = report;
  const { kinds } = useAddress().quality;
  const nowMs = useNow();
  const silences = emitters.flatMap((reporter) => silenceOf(reporter, nowMs) ?? []);
  const silent = silences.filter((silence) => silence === 'silent').length;
  const rows = emitters.reduce((sum, { rows_24h }) => sum + rows_24h, 0);
  const { answer, says } = headlineOf(report, services);
  return (
    <section class="card quality-card wrap quality-head" aria-labelledby="quality-summary">
      <div>
        <h2 id="quality-summary" class="headline">
          Can the log be trusted? {answer}
        </h2>
        <p class="soft">
          {kinds.length === 0 ? says : `${pluralize(findingsIn(counts), 'finding')} in total; some kinds are hidden.`}
        </p>
      </div>
      <dl class="row">
        <div>
          <dd class="strong title">{findingsIn(counts)}</dd>
          <dt class="small">{findingsIn(counts) === 1 ? 'finding' : 'findings'}</dt>
        </div>
        <div>
          <dd class="strong title">
            {silences.length} of {emitters.length}
          </dd>
          <dt class="small">reporters quiet{silent > 0 && `, ${silent} silent`}</dt>
        </div>
        <div>
          <dd class="strong title">{rows.toLocaleString('en')}</dd>
          <dt class="small">rows in 24 h</dt>
        </div>
      </dl>
    </section>
  );
}

function Bar({
  counts,
  children,
}: {
  readonly counts: LoadedQuality['counts'] | undefined;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="bar scope-bar" role="toolbar" aria-label="Scope">
      <TeamMenu />
      <EnvironmentMenu />
      <KindMenu counts={counts} />
      <GlobChips kind="services" />
      <span class="space" />
      {children}
      <ShareButton />
    </div>
  );
}

/** Reserves the space of the button until the response arrives. */
function NotYetCopied() {
  return (
    <button type="button" class="chip" disabled>
      Copy as Markdown
    </button>
  );
}

function Copied({ report, services }: PartProps) {
  const nowMs = useNow();
  const production = useBoardContext().promotionOrder.at(-1) ?? 'prod';
  const { findings, emitters } = report;
  const text = () => qualityMarkdown(headlineOf(report, services), findings, emitters, { production, nowMs });
  return <CopyButton what="Copy as Markdown" text={text} />;
}

function KindMenu({ counts }: { readonly counts: QualityReport['counts'] | undefined }) {
  const { navigation } = useApp();
  const { kinds } = useAddress().quality;
  const toggle = (kind: FindingKind) => {
    const chosen = kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind];
    navigation.go({ quality: { kinds: findingKinds.filter((each) => chosen.includes(each)) } });
  };
  return (
    <Menu
      title={
        <>
          Kind <b>{kinds.map((kind) => findingTitles[kind]).join(', ') || `all ${findingKinds.length}`}</b>
        </>
      }
    >
      <ul class="columns">
        {findingKinds.map((kind) => (
          <li key={kind}>
            <label>
              <input type="checkbox" checked={kinds.includes(kind)} onChange={() => toggle(kind)} />{' '}
              {findingTitles[kind]} {counts && <span>{counts[kind]}</span>}
            </label>
          </li>
        ))}
      </ul>
    </Menu>
  );
}
