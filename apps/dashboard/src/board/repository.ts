export interface Named {
  readonly version?: string | null | undefined;
  readonly sha?: string | null | undefined;
  readonly ref?: string | null | undefined;
}

interface Repository {
  readonly url: string;
  /** The path segment between the URL of a repository and its pages. */
  readonly pages: '' | '/-';
}

/** The URL of the changes between two releases; `undefined` if the host is unknown or nothing changed. */
export function compareUrl(repositoryUrl: string | null | undefined, before: Named, after: Named): string | undefined {
  const repository = repositoryOf(repositoryUrl);
  const prefix = prefixOf(before) ?? prefixOf(after) ?? '';
  const [from, to] = [pointOf(before, prefix), pointOf(after, prefix)];
  if (!repository || !from || !to || from === to) return undefined;
  return `${repository.url}${repository.pages}/compare/${encoded(from)}...${encoded(to)}`;
}

export function commitUrl(
  repositoryUrl: string | null | undefined,
  sha: string | null | undefined,
): string | undefined {
  const repository = repositoryOf(repositoryUrl);
  return repository && isSha(sha) ? `${repository.url}${repository.pages}/commit/${sha}` : undefined;
}

/** The page of a release in the repository, for a release that was deployed from a tag. */
export function releaseNotesUrl(repositoryUrl: string | null | undefined, { ref }: Named): string | undefined {
  const repository = repositoryOf(repositoryUrl);
  const tag = tagOf(ref);
  if (!repository || tag === undefined) return undefined;
  return `${repository.url}${repository.pages}/releases/${repository.pages ? '' : 'tag/'}${encoded(tag)}`;
}

export function hasPages(repositoryUrl: string | null | undefined): boolean {
  return repositoryOf(repositoryUrl) !== undefined;
}

/** Recognizes GitHub and GitLab by host name, and other GitLab servers by `/-/` in their paths. */
function repositoryOf(url: string | null | undefined): Repository | undefined {
  if (!url || !/^https?:\/\//i.test(url) || !URL.canParse(url)) return undefined;
  const { origin, hostname, pathname } = new URL(url);
  const [path = '', ownPages] = pathname.split('/-/');
  const names = path.split('/').filter(Boolean);
  const hasLabel = (label: string) => hostname.split('.').includes(label);
  if (names.length < 2) return undefined;
  if (hasLabel('github')) return { url: urlOf(origin, names.slice(0, 2)), pages: '' };
  return hasLabel('gitlab') || ownPages !== undefined ? { url: urlOf(origin, names), pages: '/-' } : undefined;
}

function urlOf(origin: string, names: readonly string[]): string {
  return `${origin}/${names.join('/').replace(/\.git$/, '')}`;
}

/** The name of a release in the repository: its commit, else its tag, else its version with the prefix of tags. */
function pointOf({ version, sha, ref }: Named, prefix: string): string | undefined {
  if (isSha(sha)) return sha;
  return tagOf(ref) ?? (version ? `${prefix}${version}` : undefined);
}

/** The prefix of versions in release tags, such as `v`. */
function prefixOf({ version, ref }: Named): string | undefined {
  const tag = tagOf(ref);
  return version && tag?.endsWith(version) ? tag.slice(0, -version.length) : undefined;
}

function tagOf(ref: string | null | undefined): string | undefined {
  return /^refs\/tags\/(.+)$/.exec(ref ?? '')?.[1];
}

function isSha(sha: string | null | undefined): sha is string {
  return /^[0-9a-f]{7,64}$/i.test(sha ?? '');
}

/** Encodes parentheses, too, because they end a link in Markdown. */
function encoded(point: string): string {
  return encodeURIComponent(point).replace(/[()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
