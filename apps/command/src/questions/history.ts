import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { readHistory } from '../log/history.ts';
import { refuseUnknown } from '../log/known-names.ts';
import { environmentsOfStage } from '../log/stages.ts';
import { eventCells, statusStyle } from './event-words.ts';
import { show } from './listing.ts';
import { proofsOf, proofText } from './proofs.ts';
import { limitOf } from './query-options.ts';

const limitDefault = 20;

/** `shiplog history <service> <environment>`: prints the events of a slot or a stage, newest first (command.md 4). */
export async function showHistory({ args, options }: Given, context: Context): Promise<number> {
  const [service = '', environment = ''] = args;
  if (service === '' || environment === '') throw usageFailure('Give the names of a service and an environment.');
  const limit = limitOf(options.limit, limitDefault);
  const client = await context.client();
  const inStage = await environmentsOfStage(client, environment, context.signal);
  const events = await readHistory(client, { service, environments: inStage ?? [environment], limit }, context.signal);
  if (events.length === 0) {
    const environments = inStage ? [] : [environment];
    await refuseUnknown(client, { services: [service], environments }, context.signal);
  }
  const { out } = context;
  const proofs = options.proof ? await proofsOf(client, events, context.signal) : undefined;
  if (out.isJson)
    for (const [at, event] of events.entries()) out.json(proofs ? { ...event, proof: proofs[at] } : event);
  else if (events.length === 0) out.note('No events found.');
  else {
    show(out, {
      head: [
        'happened at',
        'status',
        'service',
        'environment',
        'release',
        'actor',
        'id',
        ...(proofs ? ['posted'] : []),
      ],
      rows: events.map((event, at) => [...eventCells(event), ...(proofs ? [proofText(proofs[at])] : [])]),
      styleOf: (text, column) => (column === 1 ? statusStyle(text) : undefined),
    });
  }
  return exitCodes.done;
}
