import type { Finding, FindingKind } from '@shiplog/contract';
import { Mark } from '@shiplog/panels/ui/mark.tsx';
import { plain } from '@shiplog/text';
import { findingTitles } from '../board/finding-titles.ts';
import type { Address } from '../state/address.ts';
import { Alert } from '../ui/alert.tsx';
import { useBoardContext } from '../ui/app.ts';
import { Link } from '../ui/link.tsx';
import { findingEffects, findingPlace } from './finding-effects.ts';
import type { LoadedQuality } from './quality-reader.ts';

const shapes: Readonly<Record<FindingKind, Shape>> = {
  future: 'arrow',
  late: 'clock',
  stuck: 'pause',
  'unknown-parent': 'ring',
  duplicate: 'dot',
  'look-alike': 'dash',
  silent: 'cross',
  unversioned: 'ring',
};

interface FindingsProps {
  readonly loaded: LoadedQuality;
  /** The number of findings on all pages. */
  readonly all: number;
  readonly askMore: () => Promise<void>;
}

/** Findings, most serious first, each with its slot, its effect on the figures and what to do about it. */
export function Findings({ loaded: { findings, next_cursor, fault }, all, askMore }: FindingsProps) {
  return (
    <section class="card quality-card" aria-labelledby="findings">
      <h2 id="findings">
        Findings <span class="small">most serious first, each with what to do</span>
      </h2>
      {findings.length === 0 && <p class="quality-none">No findings.</p>}
      <ul class="ruled">
        {findings.map((finding) => (
          <li
            key={JSON.stringify([finding.kind, finding.service, finding.environment, finding.detail])}
            class="finding soft breaks"
          >
            <FindingRow finding={finding} />
          </li>
        ))}
      </ul>
      <Alert text={fault} />
      {next_cursor !== null && (
        <p class="quality-none small">
          {all - findings.length} more.{' '}
          <button type="button" class="chip" onClick={askMore}>
            Show more
          </button>
        </p>
      )}
    </section>
  );
}

function FindingRow({ finding }: { readonly finding: Finding }) {
  const production = useBoardContext().promotionOrder.at(-1) ?? 'prod';
  const title = findingTitles[finding.kind];
  const shown = whereOf(finding);
  return (
    <>
      <Mark shape={shapes[finding.kind]} />
      <div>
        <h3>{title}</h3>
        <p class="small">
          <bdi>{plain(findingPlace(finding))}</bdi>
        </p>
      </div>
      <p class="fine">
        <bdi>{plain(finding.detail)}</bdi>{' '}
        {shown && (
          <Link to={shown}>
            Show<span class="unseen"> {plain(`${title}: ${findingPlace(finding)}`)}</span>
          </Link>
        )}
      </p>
      <p class="small">{findingEffects[finding.kind](production)}</p>
    </>
  );
}

/** The history to which a finding links, if it has a service and an environment. Other findings list names instead. */
function whereOf({ service, environment }: Finding): Partial<Address> | undefined {
  return service !== null && environment !== null ? { slot: { service, environment } } : undefined;
}
