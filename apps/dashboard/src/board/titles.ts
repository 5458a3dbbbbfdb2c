import { plain } from '@shiplog/text';
import type { ArrangedGroup } from './arrangement.ts';
import { type Column, otherStages } from './columns.ts';

/** The environment, or the stage of a folded column. */
export function columnTitle({ isFolded, stage, environments }: Column): string {
  return isFolded ? stageTitle(stage) : (environments[0] ?? '');
}

export function groupTitle({ name, isNew }: ArrangedGroup): string {
  return isNew ? 'New services' : plain(name ?? 'Other services');
}

export function stageTitle(stage: string): string {
  return stage === otherStages ? 'Others' : plain(stage);
}
