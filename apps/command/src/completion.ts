import type { Client } from '@shiplog/client';
import { escapeUnsafe } from '@shiplog/text';
import { globalOptions } from './command-line.ts';
import type { Context } from './context.ts';
import type { CommandDefinition, OptionDefinition } from './definition.ts';
import { usageFailure } from './failure.ts';

interface Word {
  /** The long flag, such as `--service`, or `service` for fish. */
  readonly long: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  /** The kind of values that `shiplog completion` lists; `undefined` if unknown. */
  readonly values: string | undefined;
  readonly description: string;
}

/** The kinds of values, by the name of the option or argument. */
const kinds: Readonly<Record<string, string>> = {
  service: 'services',
  services: 'services',
  'service|version|sha': 'services',
  environment: 'environments',
  environments: 'environments',
  from: 'environments',
  to: 'environments',
  figure: 'figures',
  kind: 'kinds',
  view: 'views',
};

function argumentKinds({ args = '' }: CommandDefinition): (string | undefined)[] {
  return [...args.matchAll(/[<[]([\w|]+)[>\]]/g)].map(([, name = '']) => kinds[name]);
}

/** The script that completes commands, options and values in a shell (command.md 1.1). @throws Failure */
export function completionFor(shell: string, commands: readonly CommandDefinition[]): string {
  const scripts = { bash, zsh, fish };
  if (Object.hasOwn(scripts, shell)) return scripts[shell as keyof typeof scripts](commands);
  throw usageFailure(`No completion for the shell ${JSON.stringify(shell)}. Supported: bash, zsh, fish.`);
}

function wordsOf({ options = [], passesThrough }: CommandDefinition): Word[] {
  const shared = passesThrough ? [] : globalOptions.map(([flags, description]) => ({ flags, description }));
  return [...options, ...shared, { flags: '-h, --help', description: 'print this help' }].map(wordOf);
}

function wordOf({ flags, description, choices = [] }: OptionDefinition): Word {
  const [, short] = /(?:^|\s)-(\w)\b/.exec(flags) ?? [];
  const [, long = ''] = /--([\w-]+)/.exec(flags) ?? [];
  // --from and --to of a period are times, not environments.
  const values = /<time>/.test(flags) ? undefined : kinds[long];
  return { long: `--${long}`, short, takesValue: /[<[]/.test(flags), choices, values, description };
}

function bash(commands: readonly CommandDefinition[]): string {
  const cases = commands.map((command) => {
    const words = wordsOf(command);
    const chosen = words.filter(({ choices }) => choices.length > 0);
    const values = [
      ...chosen.map(({ long, choices }) => {
        return `        ${long}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`;
      }),
      ...words.flatMap((word) =>
        word.values ? [`        ${word.long}) _shiplog_values ${word.values}; return ;;`] : [],
      ),
    ];
    const positions = argumentKinds(command).flatMap((kind, index) =>
      kind
        ? [
            `      if ((COMP_CWORD == ${index + 2 + depthOf(command)})) && [[ $word != -* ]]; then _shiplog_values ${kind}; return; fi`,
          ]
        : [],
    );
    return [
      `    '${command.name}')`,
      ...(values.length > 0 ? ['      case "$before" in', ...values, '      esac'] : []),
      ...positions,
      `      words='${words.map(({ long }) => long).join(' ')}' ;;`,
    ].join('\n');
  });
  return `# bash completion of shiplog
# Values from the service are data and never expanded.
_shiplog_values() {
  local value
  while IFS= read -r value; do
    if [[ $value == "$word"* ]]; then COMPREPLY+=("$(printf %q "$value")"); fi
  done < <(shiplog completion "$1" 2>/dev/null)
}
_shiplog() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${firstWords(commands).join(' ')} --help --version' -- "$word"))
    return
  fi
  local name="\${COMP_WORDS[1]}"
  case "$name" in
${families(commands)
  .map(
    ([family, words]) =>
      `    ${family}) name="$name \${COMP_WORDS[2]}"; ((COMP_CWORD == 2)) && words='${words.join(' ')}' ;;`,
  )
  .join('\n')}
  esac
  if ((COMP_CWORD == 2)) && [[ -n $words ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
  case "$name" in
${cases.join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _shiplog shiplog`;
}

function zsh(commands: readonly CommandDefinition[]): string {
  const cases = commands.map((command) => {
    const options = wordsOf(command).map(({ long, takesValue, choices, values, description }) => {
      const known = values ? `:value:_shiplog_values ${values}` : ':value:_files';
      const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : known;
      return `      '*${long}[${escapeZsh(description)}]${takesValue ? value : ''}'`;
    });
    const positions = argumentKinds(command).flatMap((kind, index) =>
      kind ? [`      '${index + 1}:${kind}:_shiplog_values ${kind}'`] : [],
    );
    const all = [...options, ...positions, `      '*:file:_files'`];
    return `    '${command.name}')\n      _arguments \\\n${all.join(' \\\n')} ;;`;
  });
  const ofOneWord = commands.filter(({ name }) => !name.includes(' '));
  const names = [
    ...ofOneWord.map(({ name, summary }) => `    '${name}:${escapeZsh(summary)}'`),
    ...families(commands).map(([family, words]) => `    '${family}:${words.join(', ')}'`),
  ];
  const second = families(commands).map(
    ([family, words]) => `    ${family})
      if ((CURRENT == 2)); then
        compadd ${words.join(' ')}
        return
      fi
      command="$command $words[2]"
      shift words
      ((CURRENT--)) ;;`,
  );
  return `#compdef shiplog
_shiplog_values() {
  local -a values
  values=("\${(@f)$(shiplog completion "$1" 2>/dev/null)}")
  compadd -a values
}
_shiplog() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command="$words[2]"
  shift words
  ((CURRENT--))
  case "$command" in
${second.join('\n')}
  esac
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _shiplog ]; then _shiplog "$@"; else compdef _shiplog shiplog; fi`;
}

/** Escapes the characters that zsh interprets within single quotes of a completion: brackets, colons and backslashes. */
function escapeZsh(text: string): string {
  return quoted(text).replace(/[[\]:\\]/g, '\\$&');
}

/** The word or words with which a command begins, for fish. */
function startOf({ name, summary }: CommandDefinition): string[] {
  const [first = '', second] = name.split(' ');
  const start = `complete -c shiplog -n __fish_use_subcommand -f -a ${first}`;
  if (second === undefined) return [`${start} -d '${quoted(summary)}'`];
  const isNext = `__fish_seen_subcommand_from ${first}; and test (count (commandline -opc)) -eq 2`;
  return [start, `complete -c shiplog -n '${isNext}' -f -a ${second} -d '${quoted(summary)}'`];
}

function seenInFish({ name }: CommandDefinition): string {
  return name
    .split(' ')
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join('; and ');
}

/** The number of words in a command's name after the first. */
function depthOf({ name }: CommandDefinition): number {
  return name.split(' ').length - 1;
}

function firstWords(commands: readonly CommandDefinition[]): string[] {
  return [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
}

/** The first words that several commands may share, each with the second words. */
function families(commands: readonly CommandDefinition[]): [family: string, words: string[]][] {
  const found = new Map<string, string[]>();
  for (const { name } of commands) {
    const [family = '', word] = name.split(' ');
    if (word !== undefined) found.set(family, [...(found.get(family) ?? []), word]);
  }
  return [...found];
}

function quoted(text: string): string {
  return text.replaceAll("'", '’');
}

function fish(commands: readonly CommandDefinition[]): string {
  const lines = commands.flatMap((command) => [
    ...startOf(command),
    ...argumentKinds(command).flatMap((kind, index) => {
      const isHere = `${seenInFish(command)}; and test (count (commandline -opc)) -eq ${index + 2 + depthOf(command)}`;
      return kind ? [`complete -c shiplog -n '${isHere}' -f -a '(shiplog completion ${kind} 2>/dev/null)'`] : [];
    }),
    ...wordsOf(command).map(({ long, short, takesValue, choices, values, description }) => {
      const parts = [
        `complete -c shiplog -n '${seenInFish(command)}'`,
        `-l ${long.slice(2)}`,
        short && `-s ${short}`,
        takesValue && '-r',
        choices.length > 0 && `-f -a '${choices.join(' ')}'`,
        values && `-f -a '(shiplog completion ${values} 2>/dev/null)'`,
        `-d '${quoted(description)}'`,
      ];
      return parts.filter(Boolean).join(' ');
    }),
  ]);
  return ['# fish completion of shiplog', ...lines].join('\n');
}

const timeoutMs = 1000;

type Source = (client: () => Promise<Client>, signal: AbortSignal) => Promise<readonly string[]>;

/** The values for `shiplog completion <kind>`: names in the log, and words of the API. */
const sources: Readonly<Record<string, Source>> = {
  services: async (client, signal) => (await (await client()).listServices({ signal })).body.items,
  environments: async (client, signal) => (await (await client()).listEnvironments({ signal })).body.items,
  figures: async () => (await import('@shiplog/contract')).provableFigures,
  kinds: async () => (await import('@shiplog/contract')).findingKinds,
  views: async () => (await import('./questions/links.ts')).views,
};

export function isValueKind(word: string): boolean {
  return Object.hasOwn(sources, word);
}

/**
 * Prints one value per line. Prints nothing on failure, because an error would appear in the line that the user is
 * typing.
 */
export async function printValues(kind: string, { client, out, signal }: Context): Promise<void> {
  try {
    const values = (await sources[kind]?.(() => client({ timeoutMs }), signal)) ?? [];
    // Names are user-supplied. A name with control characters can't be typed, so it is left out.
    for (const value of values) if (escapeUnsafe(value) === value) out.line(value);
  } catch {
    signal.throwIfAborted();
  }
}
