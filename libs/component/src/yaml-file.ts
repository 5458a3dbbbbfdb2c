import { readFileSync, statSync } from 'node:fs';
import { SettingsError } from '@shiplog/server';
import { Mistake } from './mistake.ts';
import { type ConfigNode, type FileMistake, parseYaml } from './yaml-node.ts';

/** A configuration file of a kind. */
export interface YamlFile<Config> {
  /** Notes what is wrong at its place; what it gives counts only where nothing is. */
  read(root: ConfigNode): Config | undefined;
  /** How a sentence names its place, `fetcher.yaml, line 3, column 5` unless it is told otherwise. */
  placeOf?(path: string, mistake: FileMistake): string;
}

/** More than anyone has to say. */
export const yamlFileBytesMax = 256 * 1024;
/** Of a file that is no YAML the rest are mostly consequences. */
const mistakesTold = 20;

/** @throws SettingsError with a sentence for each mistake, each with its place. */
export function readYamlFile<Config>(path: string, file: YamlFile<Config>): Config {
  return parseYamlFile(textOf(path), path, file);
}

/** The same of a text; `path` is for the sentences. @throws SettingsError */
export function parseYamlFile<Config>(text: string, path: string, { read, placeOf }: YamlFile<Config>): Config {
  const { root, mistakes } = parseYaml(text);
  const config = root && read(root);
  if (config && mistakes.length === 0) return config;
  const place = placeOf ?? ((name, { line, column }) => `${name}, line ${line}, column ${column}`);
  const sentences = mistakes
    .toSorted((one, other) => one.line - other.line || one.column - other.column)
    .map((mistake) => `${place(path, mistake)}: ${mistake.sentence}.`);
  const more = sentences.length - mistakesTold;
  const rest = more > 0 ? [`${path} has more mistakes: ${more}.`] : [];
  throw new SettingsError([...sentences.slice(0, mistakesTold), ...rest].join('\n'));
}

function textOf(path: string): string {
  try {
    if (statSync(path).size > yamlFileBytesMax)
      throw new Mistake(`has more than ${yamlFileBytesMax / 1024} KiB; make it shorter`);
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

/** Every file says which version of its format it has. */
export function judgeFormatVersion(root: ConfigNode, version: ConfigNode | undefined): void {
  if (!version) root.refuse(`needs "version: ${currentVersion}"`);
  else if (version.value !== currentVersion) version.refuse(`must be ${currentVersion}, the version of this format`);
}

const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name of a variable of the environment. */
export function variableName(node: ConfigNode | undefined): string | undefined {
  return textThat(node, (text) => variablePattern.test(text), 'must be the name of a variable of the environment');
}

/** The text of a place that may be missing; `clause` says what it must be. */
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
