import { readFileSync } from 'node:fs';
import {
  type ConfigNode,
  compileTemplate,
  isInner,
  isThisMachine,
  type Template,
  type TemplateNames,
  textThat,
  variableName,
} from '@shiplog/component';
import { baseUrlOf } from '@shiplog/server';
import { type Variables, variableNames } from '../domain/variables.ts';
import { type AllowedHosts, hostnameOf, isAllowed, portOf } from '../sender/allowed-hosts.ts';

export interface TargetNodeParts {
  readonly node: ConfigNode;
  readonly members: Readonly<Partial<Record<string, ConfigNode>>>;
  readonly name: string;
  readonly type: string;
  readonly allowed: AllowedHosts;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type IsFit = (text: string) => boolean;

/** A target in the file. Its readers record an error for an unexpected value, and return `undefined`. */
export class TargetNode {
  readonly names: { readonly name: string; readonly type: string };
  readonly #parts: TargetNodeParts;

  constructor(parts: TargetNodeParts) {
    this.#parts = parts;
    this.names = { name: parts.name, type: parts.type };
  }

  /** Whether a member is present, directly or in the form `…_env` or `…_file`. */
  has(name: string): boolean {
    return this.#given(name).length > 0;
  }

  refuse(clause: string): void {
    this.#parts.node.refuse(clause);
  }

  refuseOthers(names: readonly string[], clause: string): void {
    for (const name of names) for (const { node } of this.#given(name)) node.refuse(clause);
  }

  need(name: string, isFit: IsFit, clause: string): string | undefined {
    if (!this.#parts.members[name]) this.refuse(`needs ${name}`);
    return this.optional(name, isFit, clause);
  }

  optional(name: string, isFit: IsFit, clause: string): string | undefined {
    return textThat(this.#parts.members[name], isFit, clause);
  }

  texts(name: string, isFit: IsFit, clause: string): string[] {
    const member = this.#parts.members[name];
    if (!member) this.refuse(`needs ${name}`);
    const texts = member?.texts() ?? [];
    if (member && (texts.length === 0 || !texts.every(isFit))) member.refuse(clause);
    return texts;
  }

  choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice | undefined {
    const member = this.#parts.members[name];
    if (!member) return fallback;
    const found = choices.find((choice) => choice === member.value);
    if (found === undefined) member.refuse(`must be one of ${choices.join(', ')}`);
    return found;
  }

  integer(name: string, { min, max, fallback }: { min: number; max: number; fallback: number }): number | undefined {
    const member = this.#parts.members[name];
    if (!member) return fallback;
    const { value } = member;
    if (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) return value as number;
    member.refuse(`must be an integer from ${min} to ${max}`);
    return undefined;
  }

  /** The secret in `…_env` or `…_file`; no error message repeats it. */
  secret(name: string): string | undefined {
    const given = this.#given(name);
    const [one] = given;
    if (given.length > 1) this.refuse(`has ${given.map(({ key }) => key).join(' and ')}; remove one of them`);
    return one && this.#secretAt(one.key, one.node);
  }

  /** A secret that is valid as part of a header. */
  headerSecret(name: string): string | undefined {
    const text = this.secret(name);
    if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text;
    this.refuse(`has a ${name}with spaces, line breaks or other characters that are invalid in a header`);
    return undefined;
  }

  /** The target's address, in one of `name`, `name_env` and `name_file`. */
  address(name: string): string | undefined {
    const [one] = this.#given(name);
    if (!one) this.refuse(`needs ${name}, ${name}_env or ${name}_file`);
    const text = this.secret(name);
    const fault = text === undefined ? undefined : addressFault(text, this.#parts.allowed);
    if (fault !== undefined) one?.node.refuse(fault);
    return fault === undefined ? text : undefined;
  }

  /** `base_url` without a trailing slash; required if there is no fallback. */
  baseUrl(fallback: string | undefined): string | undefined {
    const member = this.#parts.members.base_url;
    if (!member && fallback === undefined) this.refuse('needs base_url');
    const text = member ? member.text() : fallback;
    if (text === undefined) return undefined;
    const url = baseUrlOf(text);
    const fault =
      url === undefined
        ? 'must be a URL without a user name, query or fragment'
        : addressFault(url, this.#parts.allowed);
    if (fault !== undefined) member?.refuse(fault);
    return fault === undefined ? url : undefined;
  }

  /** A mail server's host. `isPlain`: the connection is not encrypted. */
  mailHost(port: number, isPlain: boolean): string | undefined {
    const { members, allowed } = this.#parts;
    const text = this.need('host', (host) => hostnameOf(host) !== undefined, 'must be a host name or address');
    const host = text === undefined ? undefined : hostnameOf(text);
    if (host === undefined) return undefined;
    if (isAllowed(allowed, host, port)) return host;
    const fault =
      isPlain && !isThisMachine(bare(host))
        ? 'is another machine, and tls: none sends everything unencrypted; use starttls or tls, or add it to allow_hosts'
        : innerFault(host);
    if (fault !== undefined) members.host?.refuse(fault);
    return fault === undefined ? host : undefined;
  }

  /** Additional headers, such as `X-Team: core`. */
  headers(): Record<string, string> {
    const found: Record<string, string> = {};
    for (const [name, member] of this.#parts.members.headers?.entries() ?? []) {
      const value = member.text();
      if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/.test(name)) member.refuse('is not a valid header name');
      else if (ownHeaders.test(name)) member.refuse('is a header that the relay sets itself');
      else if (value !== undefined && !/^[\x20-\x7e]*$/.test(value)) member.refuse('must be printable ASCII');
      else if (value !== undefined) found[name] = value;
    }
    return found;
  }

  template(): JsonTemplate | undefined {
    const member = this.#parts.members.template;
    return member && readJsonTemplate(member);
  }

  #given(name: string): { key: string; node: ConfigNode }[] {
    const { members } = this.#parts;
    return [name, `${name}_env`, `${name}_file`].flatMap((key) => {
      const node = members[key];
      return node ? [{ key, node }] : [];
    });
  }

  #secretAt(key: string, node: ConfigNode): string | undefined {
    if (key.endsWith('_env')) {
      const variable = variableName(node);
      const value = variable === undefined ? undefined : this.#parts.environment[variable];
      if (variable !== undefined && !value) node.refuse(`names ${variable}, which is not set`);
      return value || undefined;
    }
    const text = node.text();
    if (text === undefined || !key.endsWith('_file')) return text;
    try {
      const content = readFileSync(text, 'utf8').replace(/\r?\n$/, '');
      if (content !== '') return content;
      node.refuse('names a file that is empty');
    } catch (error) {
      node.refuse(`names a file that can't be read (${(error as NodeJS.ErrnoException).code})`);
    }
    return undefined;
  }
}

const ownHeaders = /^(content-length|content-type|transfer-encoding|connection|host|webhook-.*)$/i;

/**
 * Describes the error in a target's address as a clause. The text contains at most the host, because the address may be
 * secret.
 */
export function addressFault(text: string, allowed: AllowedHosts): string | undefined {
  const url = URL.canParse(text) && /^https?:\/\//i.test(text) ? new URL(text) : undefined;
  if (url?.username !== '' || url.password !== '')
    return 'must be a URL such as https://acme.com/path, without a user name';
  if (isAllowed(allowed, url.hostname, portOf(url))) return undefined;
  if (url.protocol !== 'https:' && !isThisMachine(bare(url.hostname))) {
    return `uses http for ${url.hostname}; use https, or add the host to allow_hosts`;
  }
  return innerFault(url.hostname);
}

/** Describes the error in a host that is an IP address; names are checked when connecting (relay §9.11). */
function innerFault(hostname: string): string | undefined {
  if (!isInner(bare(hostname))) return undefined;
  return `uses ${hostname}, an address inside the network; add it to allow_hosts if this is intended`;
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** JSON with templates as strings. Values are inserted after parsing, so they can't break the JSON (relay §9.2). */
export interface JsonTemplate {
  fill(variable: Variables): unknown;
}

const names: TemplateNames = {
  isName: (name) => variableNames.includes(name),
  known: `${variableNames.join(', ')}, and raw at the end`,
  optOut: 'raw',
};

function readJsonTemplate(node: ConfigNode): JsonTemplate {
  if (node.isList) {
    const items = node.items().map(readJsonTemplate);
    return { fill: (variable) => items.map((item) => item.fill(variable)) };
  }
  if (node.isNames) {
    const members = node.entries().map(([name, member]) => [name, readJsonTemplate(member)] as const);
    return { fill: (variable) => Object.fromEntries(members.map(([name, item]) => [name, item.fill(variable)])) };
  }
  const { value } = node;
  if (typeof value !== 'string') return { fill: () => value ?? null };
  const template: Template | undefined = node.judge(() => compileTemplate(value, names));
  return { fill: (variable) => template?.fill(variable) };
}
