import type { CommandDefinition } from '../definition.ts';
import { exitCodes } from '../failure.ts';

/**
 * Commands about an installation of Shiplog. The caller passes all commands, because the completion script needs them.
 */
export const installationCommands = (all: () => readonly CommandDefinition[]): readonly CommandDefinition[] => [
  {
    name: 'doctor',
    group: 'installation',
    summary:
      'Check an installation. Prints one line per finding and exits with 1 if there is a fault. Takes up to 25 s, longer with --deep.',
    options: [
      { flags: '--expect <component>', description: 'a component that must report; repeatable', isRepeatable: true },
      {
        flags: '--deep',
        description: 'compare the tables behind the figures with the log; needs SHIPLOG_CONTROL_API_KEY',
      },
    ],
    examples: ['shiplog doctor --url https://shiplog.example.com', 'shiplog doctor --expect dashboard-fetcher'],
    run: async (given, context) => (await import('../doctor/doctor.ts')).examine(given, context),
  },
  {
    name: 'mcp',
    group: 'installation',
    summary: 'Serve assistants over the Model Context Protocol on standard input and output. Read-only.',
    examples: ['shiplog mcp --url https://shiplog.example.com'],
    run: async (_given, context) => (await import('../mcp/server.ts')).serveTools(context),
  },
  {
    name: 'completion',
    group: 'installation',
    summary: 'Print a shell completion script.',
    more: 'Supported shells: bash, zsh, fish. Service and environment names come from the service at SHIPLOG_URL, if it answers within a second.',
    args: '<shell>',
    examples: [
      'source <(shiplog completion bash)',
      'shiplog completion zsh > "$fpath[1]/_shiplog"',
      'shiplog completion fish > ~/.config/fish/completions/shiplog.fish',
    ],
    run: async ({ args: [word = ''] }, context) => {
      const { completionFor, isValueKind, printValues } = await import('../completion.ts');
      if (isValueKind(word)) await printValues(word, context);
      else context.out.line(completionFor(word, all()));
      return exitCodes.done;
    },
  },
];
