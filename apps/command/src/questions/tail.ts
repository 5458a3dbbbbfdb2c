import { type Client, followDeployments } from '@shiplog/client';
import { type DeploymentEvent, hasLostRows, headerNames, nilId, parseId } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { listedPages, oldestFirst } from '../log/listed.ts';
import { instantOf } from '../time-options.ts';
import { eventCells, statusStyle } from './event-words.ts';

/** `shiplog tail`: follows the log, without a gap between past and live events (command.md 4). */
export async function tail({ options }: Given, context: Context): Promise<number> {
  const { service, since, resume } = options as { service?: string; since?: string; resume?: string };
  if (since !== undefined && resume !== undefined) throw usageFailure('Give --since or --resume, not both.');
  const from = instantOf('--since', since, context.clock.now());
  const id = resume === undefined ? undefined : parseId(resume);
  if (resume !== undefined && id === undefined) {
    throw usageFailure(`--resume must be an event id (the last column of each line), not ${JSON.stringify(resume)}.`);
  }
  const client = await context.client();
  const position = await printPast(client, context, { service, since: from });
  await follow(context, { service, lastEventId: id ?? position ?? nilId });
  context.signal.throwIfAborted();
  return exitCodes.done;
}

/**
 * Prints past events if --since is given. Returns the position of the first page, from which the stream continues:
 * events that arrive while the other pages are read are delivered on the stream.
 */
async function printPast(
  client: Client,
  { out, signal }: Context,
  query: { readonly service: string | undefined; readonly since: string | undefined },
): Promise<string | undefined> {
  const pages = listedPages(client, { ...query, ...(query.since === undefined && { limit: 1 }) }, signal);
  const { value: first } = await pages.next();
  if (query.since === undefined || !first) return first?.position;
  const { position } = first;
  const all = (async function* () {
    yield first;
    yield* pages;
  })();
  for await (const event of oldestFirst(all)) if (position !== undefined && event.id <= position) print(out, event);
  return position;
}

async function follow(
  { out, url, keys, signal }: Context,
  { service, lastEventId }: { readonly service: string | undefined; readonly lastEventId: string },
): Promise<void> {
  const frames = followDeployments({
    baseUrl: url,
    apiKey: keys.api,
    lastEventId,
    ...(service !== undefined && { service }),
    signal,
    onOpen: (headers) => {
      if (hasLostRows(headers.get(headerNames.streamResume))) {
        out.warn('Some events around this position are no longer stored. The remaining ones follow.');
      }
    },
    onDown: (reason, ms) =>
      out.note(`The stream is unavailable (${out.text(reason)}). Retrying in ${Math.ceil(ms / 1000)} s.`),
  });
  for await (const event of frames) print(out, event);
}

function print(out: Context['out'], event: DeploymentEvent): void {
  const cells = eventCells(event).map((text) => out.text(text));
  const [at = '', status = '', ...others] = cells;
  if (out.isJson) out.json(event);
  else if (!out.isTerminal) out.line(cells.join('\t'));
  else {
    const shown = [at, out.styled(statusStyle(status), status.padEnd(11)), ...others];
    out.line(shown.filter((text) => text !== '').join('  '));
  }
}
