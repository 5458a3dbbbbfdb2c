import type { ReleaseDetail } from '@shiplog/contract';
import { versionOf } from '@shiplog/text';
import { compareUrl, hasPages, type Named } from '../board/repository.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { releasePage } from '../state/address.ts';
import { Link } from '../ui/link.tsx';
import { Cut } from '../ui/text.tsx';
import { Version } from '../ui/version.tsx';
import { nameOf } from './matches.ts';
import type { Presence } from './presence.ts';

interface ReplacedProps {
  readonly detail: ReleaseDetail;
  readonly presences: ReadonlyMap<string, Presence>;
  readonly production: ReadonlySet<string>;
  readonly repository: string | null | undefined;
}

/** The releases that this one replaced, and the release that it would replace in production, with links to changes. */
export function Replaced({ detail, presences, production, repository }: ReplacedProps) {
  const { service } = detail;
  const shown = [...presences].flatMap(([name, presence]) => {
    const before = beforeIn(detail, name, presence, production.has(name));
    return before ? [{ name, ...before }] : [];
  });
  if (shown.length === 0) return null;
  const areLinked = hasPages(repository);
  return (
    <section class="card panel" aria-labelledby="replaced">
      <h2 id="replaced">Replaced releases</h2>
      <table class="list">
        <thead>
          <tr>
            <th>Where</th>
            <th>Before</th>
            {areLinked && <th>Changes</th>}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, note, before, release }) => {
            const url = before && compareUrl(repository, before, detail);
            return (
              <tr key={name}>
                <td>
                  <Cut text={name} /> {before && note && <span class="small">{note}</span>}
                </td>
                <td>
                  {before && release ? (
                    <Link to={releasePage({ service, release, environment: name })}>
                      <Version text={release} />
                    </Link>
                  ) : (
                    <span class="small">{note}</span>
                  )}
                </td>
                {areLinked && (
                  <td class="small">
                    {url ? (
                      <OuterLink url={url} label={`compare with ${release}`}>
                        compare
                      </OuterLink>
                    ) : (
                      before && 'the same commit'
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {!areLinked && (
        <p class="small">
          {repository
            ? 'No links to changes: the repository in the catalog is not on GitHub or GitLab.'
            : 'No links to changes: the catalog has no repository for this service.'}
        </p>
      )}
    </section>
  );
}

interface Before {
  readonly before: Named | undefined;
  readonly release: string | undefined;
  readonly note: string;
}

function beforeIn(
  { replaced, places }: ReleaseDetail,
  environment: string,
  { kind, there }: Presence,
  isProduction: boolean,
): Before | undefined {
  if (kind === 'runs' || kind === 'last-success' || kind === 'was') {
    const before = Object.hasOwn(replaced, environment) ? replaced[environment] : undefined;
    if (!before) return { before: undefined, release: undefined, note: 'unknown' };
    return { before, release: nameOf(before), note: '' };
  }
  const next = there.lastSuccess;
  if (isProduction && next) return { before: next, release: versionOf(next), note: 'would replace' };
  return Object.hasOwn(places, environment)
    ? { before: undefined, release: undefined, note: 'did not succeed' }
    : undefined;
}
