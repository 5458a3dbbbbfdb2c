import { type ConfigNode, textThat } from '@shiplog/component/yaml-file';
import {
  comparableUrl,
  defaultUrls,
  type Issuer,
  type IssuerKind,
  isSafeUrl,
  issuerKinds,
  kindAt,
  serverOf,
} from './issuer.ts';

interface IssuersContext {
  readonly publicUrl: string | undefined;
  /** The absolute path of a file that the access file names. */
  readonly pathOf: (file: string) => string;
}

interface IssuersRead {
  readonly issuers: readonly Issuer[];
  /** Includes entries with errors, so that rules are not blamed for them. */
  readonly names: ReadonlySet<string>;
}

const namePattern = /^[a-z0-9-]{1,32}$/;
const urlClause = 'must be an https URL without query and password; http is allowed only on this machine';

/** The list `issuers` (access.md 1.2, 9.11). */
export function issuersIn(nodes: readonly ConfigNode[], context: IssuersContext): IssuersRead {
  const known = { name: new Set<string>(), url: new Set<string>() };
  const issuers = nodes.flatMap((node) => {
    const members = node.members(['name', 'kind', 'issuer', 'audience', 'server_url', 'jwks_file', 'ca_file']);
    if (!members) return [];
    if (!members.name) node.refuse('needs "name"');
    if (!members.kind) node.refuse('needs "kind"');
    const name = textThat(
      members.name,
      (text) => namePattern.test(text),
      'must have 1 to 32 characters of a to z, 0 to 9 and -',
    );
    const named = kindIn(members.kind);
    const url = named && urlIn(node, named, members.issuer);
    const kind = named && url !== undefined ? kindAt(url, named) : named;
    const audience = audienceIn(node, members.audience, context.publicUrl);
    const serverUrl = textThat(members.server_url, isBaseUrl, urlClause)?.replace(/\/+$/, '');
    if (name !== undefined) unique(known.name, name, members.name, 'is the name of two issuers');
    if (url !== undefined)
      unique(known.url, comparableUrl(url), members.issuer ?? node, `is the issuer ${url}, which is listed twice`);
    const file = (path: ConfigNode | undefined) => {
      const text = path?.text();
      return text === undefined ? undefined : context.pathOf(text);
    };
    const files = { jwksFile: file(members.jwks_file), caFile: file(members.ca_file) };
    if (name === undefined || kind === undefined || url === undefined || audience === undefined) return [];
    return [{ name, kind, url, audience, serverUrl: serverUrl ?? serverOf(kind, url), ...files }];
  });
  return { issuers, names: known.name };
}

/** Whether a path can be appended to the text. */
function isBaseUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s?#]+$/.test(text) || !isSafeUrl(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

function kindIn(node: ConfigNode | undefined): IssuerKind | undefined {
  const text = textThat(
    node,
    (kind) => issuerKinds.some((one) => one === kind),
    `must be one of ${issuerKinds.join(', ')}`,
  );
  return issuerKinds.find((kind) => kind === text);
}

function urlIn(parent: ConfigNode, kind: IssuerKind, node: ConfigNode | undefined): string | undefined {
  if (node) return textThat(node, isBaseUrl, urlClause);
  if (defaultUrls[kind] === undefined) parent.refuse('needs "issuer", the URL in the "iss" claim of its tokens');
  return defaultUrls[kind];
}

function audienceIn(parent: ConfigNode, node: ConfigNode | undefined, publicUrl: string | undefined) {
  if (node) return node.text();
  if (publicUrl === undefined) parent.refuse('needs "audience", because PUBLIC_URL is not set');
  return publicUrl;
}

function unique(known: Set<string>, text: string, node: ConfigNode | undefined, clause: string): void {
  if (known.has(text)) node?.refuse(clause);
  known.add(text);
}
