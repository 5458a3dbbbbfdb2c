import { dirname, resolve } from 'node:path';
import { type ConfigNode, parseYamlFile } from '@shiplog/component/yaml-file';
import type { May } from '@shiplog/contract';
import { globsIn, instantIn, isPresent, onOff, slotGrantIn } from './file-values.ts';
import type { Issuer } from './issuer.ts';
import { issuersIn } from './issuers-in-file.ts';
import { keyIdPattern } from './named-key.ts';
import type { Rule } from './rules.ts';
import { rulesIn } from './rules-in-file.ts';

/** The content of an access file (access.md 1). */
export interface AccessFile {
  /** Whether `API_KEY` is accepted. */
  readonly sharedKey: boolean;
  readonly keys: readonly AccessKey[];
  readonly issuers: readonly Issuer[];
  readonly rules: readonly Rule[];
}

export interface AccessKey {
  readonly id: string;
  readonly name: string;
  /** Of the whole key, in hex. */
  readonly sha256: string;
  /** Milliseconds since 1970. */
  readonly expires: number | undefined;
  readonly may: May;
}

interface FileContext {
  /** Whether the service has a catalog, from which `own` is known. */
  readonly hasCatalog: boolean;
  /** The default audience of issuers. */
  readonly publicUrl: string | undefined;
}

/** @throws SettingsError with one line per error: `<path>, line L, column C: …`. */
export function parseAccessFile(text: string, path: string, { hasCatalog, publicUrl }: FileContext): AccessFile {
  const folder = dirname(resolve(path));
  return parseYamlFile(text, path, {
    aliasesMax: 0,
    read: (root) => {
      const members = root.members(['shared_key', 'keys', 'issuers', 'pipelines']);
      const { issuers, names } = issuersIn(listIn(members?.issuers), {
        publicUrl,
        pathOf: (file) => resolve(folder, file),
      });
      return {
        sharedKey: members?.shared_key === undefined ? true : (onOff(members.shared_key) ?? true),
        keys: keysIn(listIn(members?.keys)),
        issuers,
        rules: rulesIn(listIn(members?.pipelines), { issuers, issuerNames: names, hasCatalog }),
      };
    },
  });
}

/** A list may be left out, but not empty. */
function listIn(node: ConfigNode | undefined): readonly ConfigNode[] {
  if (!node) return [];
  const items = node.items();
  if (node.isList && items.length === 0) node.refuse('is empty; remove it');
  return items;
}

const digestPattern = /^[0-9a-f]{64}$/i;
const nameLengthMax = 64;

function keysIn(nodes: readonly ConfigNode[]): AccessKey[] {
  const ids = new Set<string>();
  const digests = new Set<string>();
  return nodes.flatMap((node) => {
    const members = node.members(['id', 'name', 'sha256', 'expires', 'may']);
    if (!members) return [];
    const id = required(
      node,
      'id',
      members.id,
      (text) => keyIdPattern.test(text),
      'must have 8 characters of a to z and 0 to 9',
    );
    const nameClause = `must have 1 to ${nameLengthMax} characters on one line`;
    const name = required(node, 'name', members.name, isKeyName, nameClause);
    const sha256 = required(
      node,
      'sha256',
      members.sha256,
      (text) => digestPattern.test(text),
      'must have 64 hexadecimal digits',
    )?.toLowerCase();
    if (id !== undefined && ids.has(id)) members.id?.refuse(`is the id of two keys: ${id}`);
    if (sha256 !== undefined && digests.has(sha256)) members.sha256?.refuse('is the digest of two keys');
    ids.add(id ?? '');
    digests.add(sha256 ?? '');
    const expires = members.expires && instantIn(members.expires);
    const may = mayIn(members.may);
    if (id === undefined || name === undefined || sha256 === undefined) return [];
    return [{ id, name, sha256, expires, may }];
  });
}

function isKeyName(text: string): boolean {
  // Names appear in log lines and on terminals.
  return [...text].length <= nameLengthMax && !/\p{Cc}/u.test(text);
}

/** A required string of the object. */
function required(
  parent: ConfigNode,
  name: string,
  node: ConfigNode | undefined,
  isFit: (text: string) => boolean,
  clause: string,
): string | undefined {
  if (!node) parent.refuse(`needs "${name}"`);
  const text = node?.text();
  if (text === undefined || isFit(text)) return text;
  node?.refuse(clause);
  return undefined;
}

function mayIn(node: ConfigNode | undefined): May {
  const members = node?.members(['post', 'hold', 'report', 'state', 'outage', 'read', 'control']);
  const right = (member: ConfigNode | undefined) => member !== undefined && (onOff(member) ?? false);
  return {
    post: isPresent(members?.post) ? slotGrantIn(members.post) : null,
    hold: isPresent(members?.hold) ? slotGrantIn(members.hold) : null,
    report: isPresent(members?.report) ? globsIn(members.report) : [],
    state: isPresent(members?.state) ? globsIn(members.state) : [],
    outage: right(members?.outage),
    read: right(members?.read),
    control: right(members?.control),
  };
}
