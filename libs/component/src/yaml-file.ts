import { readFileSync, statSync } from 'node:fs';
import { SettingsError } from '@shiplog/server/settings';
import { Mistake } from './mistake.ts';
import { type ConfigNode, type FileMistake, parseYaml, parseYamlStream } from './yaml-node.ts';

export type { ConfigNode } from './yaml-node.ts';

export interface YamlFile<Config> {
  /** Records each error with its position. The result is valid only if there are no errors. */
  read(root: ConfigNode): Config | undefined;
  /** How many aliases a file may have; 100 by default. */
  readonly aliasesMax?: number;
  /** How a message names a position; by default `fetcher.yaml, line 3, column 5`. */
  placeOf?(path: string, mistake: FileMistake): string;
}

/** Larger than any sensible file. */
export const yamlFileBytesMax = 256 * 1024;
/** If a file isn't valid YAML, most later errors result from the first one. */
const mistakesTold = 20;

/** @throws SettingsError with one message per error, including its position. */
export function readYamlFile<Config>(path: string, file: YamlFile<Config>): Config {
  return parseYamlFile(textOf(path), path, file);
}

/** Parses the text of a file; `path` is for error messages. @throws SettingsError */
export function parseYamlFile<Config>(
  text: string,
  path: string,
  { read, aliasesMax, placeOf }: YamlFile<Config>,
): Config {
  const { root, mistakes } = parseYaml(text, aliasesMax);
  return judged(path, { config: root && read(root), mistakes }, placeOf);
}

/** Parses a text that has several documents. Calls `read` for each non-empty document. @throws SettingsError */
export function parseYamlDocuments<Config>(
  text: string,
  path: string,
  read: (roots: readonly [ConfigNode, ...ConfigNode[]]) => Config | undefined,
): Config {
  const { roots, mistakes } = parseYamlStream(text);
  const [first, ...more] = roots;
  if (first) return judged(path, { config: read([first, ...more]), mistakes });
  const empty = { line: 1, column: 1, sentence: 'the file is empty' };
  return judged<Config>(path, { config: undefined, mistakes: mistakes.length > 0 ? mistakes : [empty] });
}

interface Judged<Config> {
  readonly config: Config | undefined;
  readonly mistakes: readonly FileMistake[];
}

function judged<Config>(
  path: string,
  { config, mistakes }: Judged<Config>,
  placeOf: YamlFile<Config>['placeOf'] = (name, { line, column }) => `${name}, line ${line}, column ${column}`,
): Config {
  if (config && mistakes.length === 0) return config;
  const sentences = mistakes
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map((mistake) => `${placeOf(path, mistake)}: ${mistake.sentence}.`);
  const different = [...new Set(sentences)];
  const more = different.length - mistakesTold;
  const rest = more > 0 ? [`${path} has more errors: ${more}.`] : [];
  throw new SettingsError([...different.slice(0, mistakesTold), ...rest].join('\n'));
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > yamlFileBytesMax)
      throw new Mistake(`has more than ${yamlFileBytesMax / 1024} KiB; shorten it`);
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof Mistake) throw new SettingsError(`${path} ${error.message}.`);
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8; save it as UTF-8' : `cannot be read (${code})`;
    throw new SettingsError(`${path} ${why}.`, { cause: error });
  }
}

const currentVersion = 1;

/** Every file must state the version of its format. */
export function judgeFormatVersion(root: ConfigNode, version: ConfigNode | undefined): void {
  if (!version) root.refuse(`needs "version: ${currentVersion}"`);
  else if (version.value !== currentVersion) version.refuse(`must be ${currentVersion}, the version of this format`);
}

const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

export function variableName(node: ConfigNode | undefined): string | undefined {
  return textThat(node, (text) => variablePattern.test(text), 'must be the name of an environment variable');
}

/** An optional string; `clause` is the requirement for the error message. */
export function textThat(
  node: ConfigNode | undefined,
  isFit: (text: string) => boolean,
  clause: string,
): string | undefined {
  const text = node?.text();
  if (text === undefined || isFit(text)) return text;
  node?.refuse(clause);
  return undefined;
}
