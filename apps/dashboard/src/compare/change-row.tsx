import { plain } from '@shiplog/text';
import type { Ownership } from '../board/ownership.ts';
import { compareUrl } from '../board/repository.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { ReleaseLink } from '../log/release-link.tsx';
import { feedOf, home } from '../state/address.ts';
import { DayTime } from '../ui/day-time.tsx';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { type Change, changeWords } from './changes.ts';
import { Meanwhile } from './meanwhile.tsx';

interface ChangeRowProps {
  readonly change: Change;
  readonly earlier: string;
  /** As in the table head. */
  readonly thenTime: string;
  readonly ownership: Ownership;
}

export function ChangeRow({ change, earlier, thenTime, ownership }: ChangeRowProps) {
  const { service, environment, kind, before, after, attempt, newest } = change;
  const url =
    kind === 'replaced' && before && after && compareUrl(ownership.items.get(service)?.repository, before, after);
  const filter = { ...home.filter, services: [service], environments: [environment] };
  return (
    <tr>
      <td>
        <Link class="plain-link strong difference-service" to={{ slot: { service, environment } }}>
          <Cut text={service} />
        </Link>
      </td>
      <td>
        <Cut text={environment} />
      </td>
      <td data-label={thenTime}>{before ? <ReleaseLink event={before} /> : <span class="small">nothing yet</span>}</td>
      <td data-label="now">
        {after ? <ReleaseLink event={after} /> : <span class="small">nothing yet</span>}
        {attempt && <Meanwhile event={attempt} />}
      </td>
      <td>
        <b class={kind === 'failed' ? 'bad-text' : kind === 'arriving' ? 'run' : ''}>{changeWords[kind]}</b>
        {url && (
          <span class="small">
            <OuterLink url={url} label={`compare ${service} in ${environment}`}>
              compare
            </OuterLink>
          </span>
        )}
      </td>
      <td class="small">
        {newest && <DayTime at={newest.happened_at} />}
        {newest?.actor && <span class="small">{plain(newest.actor)}</span>}
      </td>
      <td class="small">
        <Link
          to={{ ...feedOf({ since: earlier, filter }), asof: undefined }}
          aria-label={`Events of ${plain(service)} in ${plain(environment)} since ${thenTime}`}
        >
          events
        </Link>
      </td>
    </tr>
  );
}
