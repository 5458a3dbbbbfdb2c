import type { CatalogItem, ReleaseDetail } from '@shiplog/contract';
import { plain, shortRef, shortSha } from '@shiplog/text';
import type { ComponentChildren } from 'preact';
import { commitUrl } from '../board/repository.ts';
import { OuterLink } from '../log/outer-link.tsx';
import { Posted } from '../log/posted.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { DayTime } from '../ui/day-time.tsx';

interface ReleaseFactsProps {
  readonly detail: ReleaseDetail;
  readonly item: CatalogItem | undefined;
}

export function ReleaseFacts({ detail, item }: ReleaseFactsProps) {
  const { version, sha, ref, first_at, events } = detail;
  const first = events.at(-1);
  return (
    <section class="card panel" aria-labelledby="about">
      <h2 id="about">This release</h2>
      <dl class="about">
        {version !== null && <Fact name="Version">{<bdi class="mono strong">{plain(version)}</bdi>}</Fact>}
        {sha !== null && (
          <Fact name="Commit">
            <bdi class="mono strong" title={plain(sha)}>
              {plain(shortSha(sha))}
            </bdi>{' '}
            <OuterLink url={commitUrl(item?.repository, sha)} label={`open commit ${shortSha(sha)}`}>
              {commitUrl(item?.repository, sha) && 'open'}
            </OuterLink>
            <CopyButton what="Copy" text={sha} />
          </Fact>
        )}
        {ref !== null && (
          <Fact name="Ref">
            <bdi class="mono">{plain(shortRef(ref))}</bdi>
          </Fact>
        )}
        <Fact name="First seen">
          <DayTime at={first_at} />
          {first && events.length < 500 && <bdi>, {plain(first.environment)}</bdi>}
        </Fact>
        {events[0] && (
          <Fact name="Last posted">
            <Posted id={events[0].id} />
          </Fact>
        )}
        <CatalogFacts item={item} />
      </dl>
    </section>
  );
}

function CatalogFacts({ item }: { readonly item: CatalogItem | undefined }) {
  const { team, owner, repository, runbook } = item ?? {};
  return (
    <>
      {team && <Fact name="Team">{plain(team)}</Fact>}
      {owner && <Fact name="Owner">{plain(owner)}</Fact>}
      {repository && (
        <Fact name="Repository">
          <OuterLink url={repository}>{plain(withoutHost(repository))}</OuterLink>
        </Fact>
      )}
      {runbook && (
        <Fact name="Runbook">
          <OuterLink url={runbook}>{plain(withoutHost(runbook))}</OuterLink>
        </Fact>
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt class="soft">{name}</dt>
      <dd class="breaks">{children}</dd>
    </div>
  );
}

function withoutHost(url: string): string {
  if (!URL.canParse(url)) return url;
  return new URL(url).pathname.replace(/^\/|\/$/g, '') || url;
}
