import {
  type ConfigNode,
  compilePatterns,
  judgeFormatVersion,
  type Patterns,
  parseYamlFile,
  readYamlFile,
  textThat,
  type YamlFile,
} from '@shiplog/component';
import { durationMs, type Status, statuses } from '@shiplog/contract';
import { stageNameIn } from '@shiplog/text';
import { everyRule, type Rule, type When, whens } from '../domain/rule.ts';
import { type AllowedHosts, allowedHost } from '../sender/allowed-hosts.ts';
import { targetTypes } from '../targets/index.ts';
import type { Target } from '../targets/target.ts';
import { TargetNode } from '../targets/target-node.ts';

export interface TargetConfig {
  readonly target: Target;
  readonly rules: readonly Rule[];
  readonly maxAgeMs: number;
  /** The number of single messages allowed in any 60 s; `Infinity`: no limit. */
  readonly burst: number;
}

export interface RelayFile {
  readonly allowed: AllowedHosts;
  readonly targets: readonly TargetConfig[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws SettingsError with one sentence per error, each with file and line. */
export function readRelayFile(path: string, environment: Environment): RelayFile {
  return readYamlFile(path, relayFile(environment));
}

/** Parses the text of a file; `path` is for error messages. @throws SettingsError */
export function parseRelayFile(text: string, path: string, environment: Environment): RelayFile {
  return parseYamlFile(text, path, relayFile(environment));
}

function relayFile(environment: Environment): YamlFile<RelayFile> {
  return {
    read: (root) => readRoot(root, environment),
    placeOf: (path, { line }) => `${path}:${line}`,
  };
}

const bounds = { maxAge: '6h', maxAgeMinMs: 1000, maxAgeMaxMs: 7 * 86_400_000, burst: 10, burstMax: 1000 };

interface Limits {
  readonly maxAgeMs: number;
  /** `undefined` means the default of the target's type. */
  readonly burst: number | undefined;
}

function readRoot(root: ConfigNode, environment: Environment): RelayFile | undefined {
  const members = root.members(['version', 'allow_hosts', 'defaults', 'targets']);
  if (!members) return undefined;
  judgeFormatVersion(root, members.version);
  const allowed = new Set(members.allow_hosts ? readAllowed(members.allow_hosts) : []);
  const usual = { maxAgeMs: durationMs(bounds.maxAge) ?? 0, burst: undefined };
  const defaults = readLimits(members.defaults?.members(['max_age', 'burst']) ?? {}, usual);
  if (!members.targets) root.refuse('needs targets, the list of destinations for messages');
  const items = members.targets?.items() ?? [];
  if (members.targets?.isList && items.length === 0) members.targets.refuse('is empty; name a target');
  const names = new Set<string>();
  const targets = items.flatMap((item) => readTarget(item, { environment, allowed, defaults, names }) ?? []);
  return { allowed, targets };
}

function readAllowed(node: ConfigNode): string[] {
  return node.items().flatMap((item) => {
    const text = item.text();
    const host = text === undefined ? undefined : allowedHost(text);
    if (text !== undefined && host === undefined)
      item.refuse('must be a host, or a host with a port, such as "10.1.2.3:8443"');
    return host ?? [];
  });
}

interface Around {
  readonly environment: Environment;
  readonly allowed: AllowedHosts;
  readonly defaults: Limits;
  readonly names: Set<string>;
}

const namePattern = /^[a-z0-9][a-z0-9-]{0,57}$/;
const commonMembers = ['name', 'type', 'rules', 'max_age', 'burst'];

function readTarget(item: ConfigNode, { environment, allowed, defaults, names }: Around): TargetConfig | undefined {
  const kind = item.isNames ? item.entries().find(([key]) => key === 'type') : undefined;
  const type = String(kind?.[1].value ?? '');
  const known = Object.hasOwn(targetTypes, type) ? targetTypes[type] : undefined;
  const types = Object.keys(targetTypes).join(', ');
  if (!known) {
    if (item.isNames) (kind?.[1] ?? item).refuse(kind ? `must be one of ${types}` : `needs a type, one of ${types}`);
    else item.refuse('must be an object');
    return undefined;
  }
  const members: Partial<Record<string, ConfigNode>> = item.members([...commonMembers, ...known.members]) ?? {};
  if (!members.name) item.refuse('needs a name');
  const clause = 'must be 1 to 58 characters long, contain only a-z, 0-9 and -, and begin with a letter or a digit';
  const name = textThat(members.name, (text) => namePattern.test(text), clause);
  if (name !== undefined && names.has(name)) members.name?.refuse('is already the name of another target');
  names.add(name ?? '');
  const node = new TargetNode({ node: item, members, name: name ?? '', type, allowed, environment });
  const target = known.read(node);
  const rules = members.rules?.items().map(readRule) ?? [everyRule];
  if (members.rules?.isList && rules.length === 0)
    members.rules.refuse('is empty; leave it out for the end of every deployment');
  const { maxAgeMs, burst } = readLimits(members, defaults);
  return (
    target && { target, rules, maxAgeMs, burst: burst ?? (known.isMachine ? Number.POSITIVE_INFINITY : bounds.burst) }
  );
}

function readLimits(members: Readonly<Partial<Record<string, ConfigNode>>>, usual: Limits): Limits {
  const { max_age, burst } = members;
  const written = max_age?.value;
  const maxAgeMs = typeof written === 'number' ? written * 1000 : durationMs(String(written ?? ''));
  const isAge = maxAgeMs !== undefined && maxAgeMs >= bounds.maxAgeMinMs && maxAgeMs <= bounds.maxAgeMaxMs;
  if (max_age && !isAge) max_age.refuse('must be a duration from 1s to 7d, such as 90m or 6h');
  const size = burst?.value;
  const isBurst = Number.isInteger(size) && (size as number) >= 1 && (size as number) <= bounds.burstMax;
  if (burst && !isBurst) burst.refuse(`must be an integer from 1 to ${bounds.burstMax}`);
  return {
    maxAgeMs: max_age && isAge ? maxAgeMs : usual.maxAgeMs,
    burst: burst && isBurst ? (size as number) : usual.burst,
  };
}

/** A rule with its patterns compiled; errors are recorded at their positions. */
function readRule(node: ConfigNode): Rule {
  const { match, when } = node.members(['match', 'when']) ?? {};
  const members = match?.members(['services', 'environments', 'teams', 'statuses']) ?? {};
  const services = members.services && readPatterns(members.services);
  const { environments, stages } = members.environments ? readEnvironments(members.environments) : {};
  const teams = members.teams && readPatterns(members.teams);
  const named = members.statuses && readWords<Status>(members.statuses, statuses);
  return {
    ...(services && { services }),
    ...(environments && { environments }),
    ...(stages && { stages }),
    ...(teams && { teams }),
    ...(named && { statuses: named }),
    when: when ? readWords<When>(when, whens) : ['every'],
  };
}

/** The stages of `stage:<name>`, and the patterns. A pattern with `!` also excludes environments of a stage. */
function readEnvironments(node: ConfigNode): Pick<Rule, 'environments' | 'stages'> {
  const texts = node.texts();
  const names = texts.flatMap((text) => stageNameIn(text) ?? []);
  const patterns = texts.filter((text) => stageNameIn(text) === undefined);
  const excluded = patterns.filter((text) => text.startsWith('!'));
  const allowed = names.length > 0 ? compiled(node, ['**', ...excluded]) : undefined;
  const environments = allowed && patterns.length === excluded.length ? undefined : compiled(node, patterns);
  return { ...(environments && { environments }), ...(allowed && { stages: { names, allowed } }) };
}

function readPatterns(node: ConfigNode): Patterns | undefined {
  return compiled(node, node.texts());
}

function compiled(node: ConfigNode, texts: readonly string[]): Patterns | undefined {
  return texts.length > 0 || node.isList ? node.judge(() => compilePatterns(texts)) : undefined;
}

function readWords<Word extends string>(node: ConfigNode, words: readonly Word[]): Word[] {
  const items = node.isList ? node.items() : [node];
  if (items.length === 0) node.refuse(`is empty; name one of ${words.join(', ')}`);
  return items.flatMap((item) => {
    const found = words.find((word) => word === item.value);
    if (found === undefined) item.refuse(`must be one of ${words.join(', ')}`);
    return found ?? [];
  });
}
