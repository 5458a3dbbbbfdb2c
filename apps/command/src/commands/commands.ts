import type { CommandDefinition } from '../definition.ts';
import { dataCommands } from './data.ts';
import { installationCommands } from './installation.ts';
import { pipelineCommands } from './pipeline.ts';
import { programCommands } from './programs.ts';
import { questionCommands } from './questions.ts';

export const commands: readonly CommandDefinition[] = [
  ...programCommands,
  ...pipelineCommands,
  ...questionCommands,
  ...dataCommands,
  ...installationCommands(() => commands),
];
