import type { Client } from '@shiplog/client';
import type { BoardFacts } from '@shiplog/contract';
import { escapeUnsafe, stageNamed, stageNameIn } from '@shiplog/text';
import { usageFailure } from '../failure.ts';

export type Stages = BoardFacts['stages'];

type FactsClient = Pick<Client, 'getBoardFacts'>;

/** The stages of the promotion order with their environments in the log (stages.md 4.12). */
export async function readStages(client: FactsClient, signal: AbortSignal): Promise<Stages> {
  return (await client.getBoardFacts({ signal })).body.stages;
}

/** The environments of the stage that `stage:<name>` stands for; `undefined` for an environment. @throws Failure */
export async function environmentsOfStage(
  client: FactsClient,
  text: string,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  return isStage(text) ? stageIn(await readStages(client, signal), text).environments : undefined;
}

/** @throws Failure if one of the strings names an unknown stage. */
export async function refuseUnknownStages(
  client: FactsClient,
  texts: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  const named = texts?.filter(isStage) ?? [];
  if (named.length === 0) return;
  const stages = await readStages(client, signal);
  for (const text of named) stageIn(stages, text);
}

export function isStage(text: string): boolean {
  return stageNameIn(text) !== undefined;
}

/** The stage that `stage:<name>` stands for. @throws Failure for an unknown stage. */
export function stageIn(stages: Stages, text: string): Stages[number] {
  const name = stageNameIn(text) ?? '';
  const stage = stageNamed(stages, name);
  if (stage) return stage;
  const known = stages.flatMap((each) => (each.name === null ? [] : [escapeUnsafe(each.name)])).join(', ');
  throw usageFailure(`The promotion order has no stage ${JSON.stringify(escapeUnsafe(name))}. Its stages: ${known}.`);
}
