import type { CommandDefinition } from '../definition.ts';
import { backupCommand } from './backup.ts';
import { boardCommand } from './board.ts';
import { completionCommand } from './completion.ts';
import { componentsCommand } from './components.ts';
import { doctorCommand } from './doctor.ts';
import { doraCommand } from './dora.ts';
import { exportCommand } from './export.ts';
import { historyCommand } from './history.ts';
import { importCommand } from './import.ts';
import { mcpCommand } from './mcp.ts';
import { openCommand } from './open.ts';
import { pipelineCommands } from './pipeline.ts';
import { programCommands } from './programs.ts';
import { qualityCommand } from './quality.ts';
import { diffCommand, evidenceCommand, whereCommand } from './releases.ts';
import { removeCommand } from './remove.ts';
import { tailCommand } from './tail.ts';

/** Every command, in the order of the help. */
export const commands: readonly CommandDefinition[] = [
  ...programCommands,
  ...pipelineCommands,
  boardCommand,
  whereCommand,
  historyCommand,
  tailCommand,
  diffCommand,
  doraCommand,
  evidenceCommand,
  qualityCommand,
  componentsCommand,
  openCommand,
  importCommand,
  exportCommand,
  removeCommand,
  backupCommand,
  doctorCommand,
  mcpCommand,
  completionCommand(() => commands),
];
