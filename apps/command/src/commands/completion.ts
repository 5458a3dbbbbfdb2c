import type { CommandDefinition } from '../definition.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** The definition needs all others, which are handed in by whoever lists them. */
export function completionCommand(others: () => readonly CommandDefinition[]): CommandDefinition {
  return {
    name: 'completion',
    group: 'installation',
    summary: 'Print what completes commands and options in a shell.',
    more: `It takes the name of the shell: ${shells.join(', ')}.`,
    args: '<shell>',
    examples: [
      'source <(shiplog completion bash)',
      'shiplog completion zsh > "$fpath[1]/_shiplog"',
      'shiplog completion fish > ~/.config/fish/completions/shiplog.fish',
    ],
    run: async ({ args }, { out }) => {
      const { completionFor } = await import('../completion.ts');
      out.line(completionFor(args[0] ?? '', others()));
      return 0;
    },
  };
}
