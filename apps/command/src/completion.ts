import { globalOptions } from './command-line.ts';
import type { CommandDefinition, OptionDefinition } from './definition.ts';
import { usageFailure } from './failure.ts';

interface Word {
  /** `--service`; for fish without the hyphens. */
  readonly long: string;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
  readonly description: string;
}

/** What a shell reads to complete commands, options, and the values of options (command.md 1.1). @throws Failure */
export function completionFor(shell: string, commands: readonly CommandDefinition[]): string {
  const scripts = { bash, zsh, fish };
  if (Object.hasOwn(scripts, shell)) return scripts[shell as keyof typeof scripts](commands);
  throw usageFailure(`${JSON.stringify(shell)} is no shell that can be completed; take bash, zsh or fish.`);
}

function wordsOf({ options = [], passesThrough }: CommandDefinition): Word[] {
  const shared = passesThrough ? [] : globalOptions.map(([flags, description]) => ({ flags, description }));
  return [...options, ...shared, { flags: '-h, --help', description: 'print this help' }].map(wordOf);
}

function wordOf({ flags, description, choices = [] }: OptionDefinition): Word {
  const [, short] = /(?:^|\s)-(\w)\b/.exec(flags) ?? [];
  const [, long = ''] = /--([\w-]+)/.exec(flags) ?? [];
  return { long: `--${long}`, short, takesValue: /[<[]/.test(flags), choices, description };
}

function bash(commands: readonly CommandDefinition[]): string {
  const cases = commands.map((command) => {
    const words = wordsOf(command);
    const chosen = words.filter(({ choices }) => choices.length > 0);
    const values = chosen.map(({ long, choices }) => {
      return `        ${long}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$word")); return ;;`;
    });
    return [
      `    ${command.name})`,
      ...(values.length > 0 ? ['      case "$before" in', ...values, '      esac'] : []),
      `      words='${words.map(({ long }) => long).join(' ')}' ;;`,
    ].join('\n');
  });
  return `# bash completion of shiplog
_shiplog() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" words=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _shiplog shiplog`;
}

function zsh(commands: readonly CommandDefinition[]): string {
  const cases = commands.map((command) => {
    const options = wordsOf(command).map(({ long, takesValue, choices, description }) => {
      const value = choices.length > 0 ? `:value:(${choices.join(' ')})` : ':value:_files';
      return `      '*${long}[${escaped(description)}]${takesValue ? value : ''}'`;
    });
    return `    ${command.name})\n      _arguments \\\n${options.join(' \\\n')} \\\n      '*:file:_files' ;;`;
  });
  const names = commands.map(({ name, summary }) => `    '${name}:${escaped(summary)}'`);
  return `#compdef shiplog
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
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = _shiplog ]; then _shiplog "$@"; else compdef _shiplog shiplog; fi`;
}

/** Within single quotes, where brackets and colons have a meaning of their own. */
function escaped(text: string): string {
  return quoted(text).replace(/[[\]:\\]/g, '\\$&');
}

function quoted(text: string): string {
  return text.replaceAll("'", '’');
}

function fish(commands: readonly CommandDefinition[]): string {
  const lines = commands.flatMap((command) => [
    `complete -c shiplog -n __fish_use_subcommand -f -a ${command.name} -d '${quoted(command.summary)}'`,
    ...wordsOf(command).map(({ long, short, takesValue, choices, description }) => {
      const parts = [
        `complete -c shiplog -n '__fish_seen_subcommand_from ${command.name}'`,
        `-l ${long.slice(2)}`,
        short && `-s ${short}`,
        takesValue && '-r',
        choices.length > 0 && `-f -a '${choices.join(' ')}'`,
        `-d '${quoted(description)}'`,
      ];
      return parts.filter(Boolean).join(' ');
    }),
  ]);
  return ['# fish completion of shiplog', ...lines].join('\n');
}
