import { pagesOf } from '@shiplog/client';
import type { Outage, OutageRequest } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, Failure, unlessMissing, usageFailure } from '../failure.ts';
import { show } from '../questions/listing.ts';
import { scopeQuery } from '../questions/query-options.ts';
import { instantOf } from '../time-options.ts';

type Options = Given['options'];

/** `shiplog outage open` (outages.md 7.21). */
export function openOutage({ args, options }: Given, context: Context): Promise<number> {
  const texts = ['severity', 'title'].filter((name) => options[name] !== undefined);
  return post(context, {
    ...rowOf(args, options, context),
    state: 'opened',
    ...listOf(options, 'services'),
    ...listOf(options, 'environments'),
    ...Object.fromEntries(texts.map((name) => [name, String(options[name])])),
    // --url is the address of the service.
    ...(options.link !== undefined && { url: String(options.link) }),
  });
}

/**
 * `shiplog outage resolve` and `shiplog outage dismiss`. The row is posted in any case, because rows may arrive in any
 * order.
 */
export async function endOutage(
  state: 'resolved' | 'dismissed',
  { args, options }: Given,
  context: Context,
): Promise<number> {
  const row = rowOf(args, options, context);
  // A key that may report outages may not read them.
  const known = await read(context, row).catch(() => 'unreadable');
  if (!known) context.out.note(`The log had no outage ${nameOf(row)} before. Check the id and --source.`);
  return post(context, { ...row, state });
}

const stateOf = { open: 'opened', resolved: 'resolved', dismissed: 'dismissed' } as const;

/** `shiplog outage blame`: posts the outage's latest state again, with its cause. */
export async function blame({ args, options }: Given, context: Context): Promise<number> {
  const { deployment, service, version, notByDeployment } = options;
  const ways = [deployment !== undefined, service !== undefined || version !== undefined, notByDeployment === true];
  if (ways.filter(Boolean).length !== 1 || (service === undefined) !== (version === undefined)) {
    throw usageFailure('Give --deployment, or --service and --version, or --not-by-deployment.');
  }
  const cause =
    deployment !== undefined
      ? { caused_by: { deployment_id: String(deployment) } }
      : notByDeployment === true
        ? { not_by_deployment: true }
        : { caused_by: { service: String(service), version: String(version) } };
  const row = rowOf(args, options, context);
  const known = await read(context, row);
  if (!known) {
    throw new Failure(exitCodes.refused, `The log has no outage ${nameOf(row)}. \`shiplog outages\` lists them.`);
  }
  // Posting the current state again neither begins nor ends anything.
  const code = await post(context, { ...row, state: stateOf[known.state], ...cause });
  const after = await read(context, row).catch(() => undefined);
  if (after?.reason === 'unknown-deployment') {
    const note =
      'The log has no successful deployment like this, so the outage has no link. Run blame again to correct it.';
    context.out.note(note);
  }
  return code;
}

async function read({ client, signal }: Context, { source, outage_id }: Row): Promise<Outage | undefined> {
  const answer = await unlessMissing((await client()).getOutage({ params: { source, outage_id }, signal }));
  return answer?.body;
}

function nameOf({ source, outage_id }: Row): string {
  return `${source}/${outage_id}`;
}

/** `shiplog outages` */
export async function showOutages({ options }: Given, context: Context): Promise<number> {
  const { out, signal } = context;
  const client = await context.client();
  const query = { ...scopeQuery(options), ...(options.open === true && { open: 'true' as const }) };
  const rows: string[][] = [];
  const pages = pagesOf(async (cursor) => {
    return (await client.listOutages({ query: { ...query, ...(cursor && { cursor }) }, signal })).body;
  });
  for await (const { items } of pages) {
    for (const outage of items) {
      if (out.isJson) out.json(outage);
      rows.push(rowText(outage));
    }
  }
  if (out.isJson) return exitCodes.done;
  if (rows.length > 0) {
    show(out, { head: ['outage', 'state', 'opened', 'minutes', 'services', 'environments', 'cause', 'title'], rows });
  } else out.note('There are no outages.');
  return exitCodes.done;
}

function rowText({ source, outage_id, state, opened_at, minutes, services, environments, title, ...cause }: Outage) {
  const links = cause.links.map(({ rule, service, deployment_id }) => `${rule}: ${service} ${deployment_id}`);
  return [
    `${source}/${outage_id}`,
    state,
    opened_at,
    minutes === null ? '' : String(Math.round(minutes)),
    (services ?? []).join(' '),
    (environments ?? []).join(' '),
    links.length > 0 ? links.join(', ') : (cause.reason ?? ''),
    title ?? '',
  ];
}

type Row = Pick<OutageRequest, 'source' | 'outage_id' | 'happened_at'>;

function rowOf([id = '']: readonly string[], options: Options, { clock }: Context): Row {
  const now = clock.now();
  const at = options.at === undefined ? now.toISOString() : instantOf('--at', String(options.at), now);
  return { source: String(options.source ?? 'shiplog'), outage_id: id, happened_at: at };
}

function listOf(options: Options, name: 'services' | 'environments') {
  const list = options[name];
  return Array.isArray(list) && list.length > 0 ? { [name]: list.map(String) } : {};
}

async function post({ client, out, signal }: Context, body: OutageRequest): Promise<number> {
  const stored = (await (await client()).appendOutage({ body, signal })).body;
  if (out.isJson) out.json(stored);
  else if (!out.isQuiet) out.line(out.text(`${stored.source}/${stored.outage_id}: ${said(stored)}.`));
  return exitCodes.done;
}

/** What a row says: its cause, or its state. */
function said({ caused_by: cause, not_by_deployment, state }: OutageRequest): string {
  if (not_by_deployment) return 'not caused by a deployment';
  if (!cause) return state;
  return `caused by ${cause.deployment_id ?? `${cause.service} ${cause.version}`}`;
}
