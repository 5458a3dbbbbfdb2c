import type { CommandDefinition } from '../definition.ts';
import { accessCommands } from './access.ts';
import { dataCommands } from './data.ts';
import { holdCommands } from './holds.ts';
import { installationCommands } from './installation.ts';
import { outageCommands } from './outages.ts';
import { pipelineCommands } from './pipeline.ts';
import { programCommands } from './programs.ts';
import { questionCommands } from './questions.ts';

export const commands: readonly CommandDefinition[] = [
  ...programCommands,
  ...pipelineCommands,
  ...questionCommands,
  ...dataCommands,
  ...holdCommands,
  ...outageCommands,
  ...accessCommands,
  ...installationCommands(() => commands),
];
