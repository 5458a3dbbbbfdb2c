import { plain } from '@shiplog/text';
import type { Scope } from '../../board/scope.ts';
import { EnvironmentMenu } from '../../filters/environment-menu.tsx';
import { TeamMenu } from '../../filters/team-menu.tsx';
import { useNow } from '../../ui/app.ts';
import { Empty, Fault } from '../../ui/empty.tsx';
import { servicesText } from '../scope-text.ts';
import { ServiceMenu } from '../toolbar.tsx';
import { findingsIn, headlineOf } from './finding-groups.ts';
import { Findings } from './findings.tsx';
import { type LoadedQuality, useQuality } from './quality-reader.ts';
import { useQualityScope } from './quality-scope.ts';
import { silenceOf } from './quiet.ts';
import { Refused } from './refused.tsx';
import { Reporters } from './reporters.tsx';
import './quality.css';

/** The problems in the log and what to do about them, the refused posts, and the reporters. */
export function QualityView() {
  const scope = useQualityScope();
  return (
    <>
      <div class="bar scope-bar" role="toolbar" aria-label="Scope">
        <EnvironmentMenu />
        <TeamMenu />
        <ServiceMenu count={servicesText(scope)} />
      </div>
      {'fault' in scope ? (
        <Empty title="No services match">
          <p>{plain(scope.fault)}</p>
        </Empty>
      ) : (
        <Quality scope={scope} />
      )}
    </>
  );
}

function Quality({ scope }: { readonly scope: Scope }) {
  const { loaded, askMore } = useQuality(scope.query);
  if (loaded.kind === 'waiting') return <p class="waiting">Loading …</p>;
  if (loaded.kind === 'failed') return <Fault what={loaded.what} retry={loaded.retry} />;
  const report = loaded.value;
  return (
    <>
      <Head report={report} services={scope.services} />
      {report.emitters.length > 0 && (
        <div class="parts stack quality-parts">
          <Findings loaded={report} askMore={askMore} />
          <Reporters reporters={report.emitters} />
        </div>
      )}
      {report.refused && <Refused refused={report.refused} />}
    </>
  );
}

function silencesText(silences: readonly ('silent' | 'quiet')[]): string {
  const silent = silences.filter((silence) => silence === 'silent').length;
  if (silent === 0) return 'reporters quiet';
  return silent === silences.length ? 'reporters silent' : `reporters quiet, ${silent} of them silent`;
}

function Head({ report, services }: { readonly report: LoadedQuality; readonly services: number }) {
  const { counts, emitters } = report;
  const nowMs = useNow();
  const silences = emitters.flatMap((reporter) => silenceOf(reporter, nowMs) ?? []);
  const rows = emitters.reduce((sum, { rows_24h }) => sum + rows_24h, 0);
  const { answer, says } = headlineOf(report, services);
  const numbers: readonly (readonly [value: string, name: string])[] = [
    [findingsIn(counts).toLocaleString('en'), findingsIn(counts) === 1 ? 'finding' : 'findings'],
    [`${silences.length} of ${emitters.length}`, silencesText(silences)],
    [rows.toLocaleString('en'), 'events in 24 h'],
  ];
  return (
    <section class="card quality-card wrap apart quality-head" aria-labelledby="quality-summary">
      <div>
        <h2 id="quality-summary" class="headline">
          {emitters.length === 0 ? 'No data yet' : `Can the data be trusted? ${answer}`}
        </h2>
        <p class="soft">{says}</p>
      </div>
      {emitters.length > 0 && (
        <dl class="row">
          {numbers.map(([value, name]) => (
            <div key={name}>
              <dd class="strong title">{value}</dd>
              <dt class="small">{name}</dt>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
