import type { ComparedClaim, DeploymentEventIngest, ProvenToken } from '@shiplog/contract';
import { type Claims, claimText, foldedName, isSameClaim, repositoryClaims } from './claims.ts';
import { repositoryAddress } from './rules.ts';
import type { VerifiedToken } from './token.ts';

type Proving = Pick<VerifiedToken, 'issuer' | 'claims'>;

/** The part of a token that is kept with an event (access.md 4.1, 9.17). */
export function provenToken(token: Proving): ProvenToken {
  const { issuer, claims } = token;
  const text = (claim: string) => claimText(claims, claim) ?? null;
  const { name, id } = issuer.kind === 'generic' ? { name: undefined, id: undefined } : repositoryClaims[issuer.kind];
  return {
    issuer: issuer.url,
    kind: issuer.kind,
    repository: name === undefined ? null : text(name),
    repository_id: id === undefined ? null : text(id),
    environment: text('environment'),
    ref: text('ref'),
    sha: text('sha'),
    run_url: runUrls(token)[0] ?? null,
    workflow: issuer.kind === 'generic' ? null : text(issuer.kind === 'github' ? 'workflow_ref' : 'ci_config_ref_uri'),
    actor: text({ github: 'actor', gitlab: 'user_login', generic: 'sub' }[issuer.kind]),
    runner: issuer.kind === 'generic' ? null : text('runner_environment'),
  };
}

/** The URLs of the token's run; the first is the one that is kept. */
function runUrls(token: Proving): string[] {
  const { issuer, claims } = token;
  const address = repositoryAddress(token);
  if (address === undefined) return [];
  const paths =
    issuer.kind === 'github' ? { run_id: 'actions/runs' } : { job_id: '-/jobs', pipeline_id: '-/pipelines' };
  return Object.entries(paths).flatMap(([claim, path]) => {
    const id = claimText(claims, claim);
    return id === undefined ? [] : [`${address}/${path}/${id}`];
  });
}

/** The fields that both an event and the token of its post have, and whether they agree. */
export function comparedClaims(token: Proving, event: DeploymentEventIngest): ComparedClaim[] {
  const { issuer } = token;
  const { sha, environment, run_url: runUrl, actor } = provenToken(token);
  const compared = (
    field: ComparedClaim['field'],
    proven: string | null,
    agrees: (said: string, proven: string) => boolean,
  ): ComparedClaim[] => {
    const said = event[field];
    if (!said || proven === null) return [];
    return [{ field, event: said, proven, agrees: agrees(said, proven) }];
  };
  return [
    ...compared('sha', sha, isSameSha),
    ...compared('environment', environment, (said, proven) => isSameClaim(issuer.kind, 'environment', said, proven)),
    ...compared('run_url', runUrl, (said) => runUrls(token).some((url) => isSameRun(issuer.kind, said, url))),
    ...compared('actor', actor, (said, proven) => isSameClaim(issuer.kind, 'actor', said, proven)),
  ];
}

const shaPrefixMin = 7;

function isSameSha(said: string, proven: string): boolean {
  const [one, other] = [said.toLowerCase(), proven.toLowerCase()];
  return Math.min(one.length, other.length) >= shaPrefixMin && (one.startsWith(other) || other.startsWith(one));
}

/** Compares the hosts, and the paths up to the id of the run. */
function isSameRun(kind: Proving['issuer']['kind'], said: string, proven: string): boolean {
  if (!URL.canParse(said)) return false;
  const [event, run] = [new URL(said), new URL(proven)];
  const [path, runPath] = [event, run].map(({ pathname }) => foldedName(kind, pathname));
  return event.host === run.host && (path === runPath || path?.startsWith(`${runPath}/`) === true);
}

/** The name of a token in acts: `<issuer>/<repository>`, or its `sub` if the issuer has no repositories. */
export function tokenSubject({ issuer, claims }: Proving): string {
  const name = issuer.kind === 'generic' ? 'sub' : repositoryClaims[issuer.kind].name;
  return `${issuer.name}/${claimText(claims, name) ?? claimText(claims, 'sub') ?? ''}`;
}

/** The id and the name of a token in `GET /api/access/self` (access.md 9.8). */
export function tokenIdentity({ issuer, claims }: Proving): {
  readonly id: string | null;
  readonly name: string | null;
} {
  const sub = textOrNull(claims, 'sub');
  if (issuer.kind === 'generic') return { id: sub, name: sub };
  const { id, name } = repositoryClaims[issuer.kind];
  return { id: textOrNull(claims, id) ?? sub, name: textOrNull(claims, name) ?? sub };
}

function textOrNull(claims: Claims, claim: string): string | null {
  return claimText(claims, claim) ?? null;
}
