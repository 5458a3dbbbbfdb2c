import type { CommandDefinition } from '../definition.ts';
import { exitCodes } from '../failure.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** The script covers all commands, so the caller passes their definitions. */
export function completionCommand(others: () => readonly CommandDefinition[]): CommandDefinition {
  return {
    name: 'completion',
    group: 'installation',
    summary: 'Print a shell completion script.',
    more: `Supported shells: ${shells.join(', ')}. Service and environment names come from the service at SHIPLOG_URL, if it answers within a second.`,
    args: '<shell>',
    examples: [
      'source <(shiplog completion bash)',
      'shiplog completion zsh > "$fpath[1]/_shiplog"',
      'shiplog completion fish > ~/.config/fish/completions/shiplog.fish',
    ],
    run: async ({ args: [word = ''] }, context) => {
      const { isValueKind, printValues } = await import('../known-values.ts');
      if (isValueKind(word)) await printValues(word, context);
      else context.out.line((await import('../completion.ts')).completionFor(word, others()));
      return exitCodes.done;
    },
  };
}
