import type { CommandDefinition } from '../definition.ts';

export const mcpCommand: CommandDefinition = {
  name: 'mcp',
  group: 'installation',
  summary: 'Serve assistants over the Model Context Protocol on standard input and output. Read-only.',
  examples: ['shiplog mcp --url https://shiplog.example.com'],
  run: async (_given, context) => (await import('../mcp/serve.ts')).serveTools(context),
};
