import type { CommandDefinition } from '../definition.ts';

export const mcpCommand: CommandDefinition = {
  name: 'mcp',
  group: 'installation',
  summary: 'Answer assistants by the Model Context Protocol on standard input and output; it only reads.',
  examples: ['shiplog mcp --url https://shiplog.example.com'],
  run: async (_given, context) => (await import('../mcp/serve.ts')).serveTools(context),
};
