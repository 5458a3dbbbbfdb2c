export { commands } from './commands/commands.ts';
export type { CommandDefinition } from './definition.ts';
