import { endpoints, nilId, type Stream, streams } from '@shiplog/contract';
import { filledPath, StreamReader, testKeys } from '@shiplog/testing';

/** A picture of a service: its response bodies by path. Services with equal pictures have equal logs. */
export type Picture = Readonly<Record<string, string>>;

const keys = { 'x-api-key': testKeys.api, 'x-control-api-key': testKeys.control };
const pageSize = 40;
const dayMs = 86_400_000;

const whole = [
  endpoints.getMatrix,
  endpoints.listServices,
  endpoints.listEnvironments,
  endpoints.getFetcherState,
  endpoints.listReleases,
].map(({ path }) => filledPath(path));
const figures = Object.values(endpoints)
  .filter(({ tag }) => tag === 'analytics')
  .map(({ path }) => filledPath(path));

/** Reads a service's picture. The control log must contain reports and end with a completed reset. */
export async function pictureOf(url: string): Promise<Picture> {
  const { listing, lastId } = await listingOf(url);
  const { from, to } = monthTo(listing);
  const paths = [...whole, ...figures.map((path) => `${path}?from=${from}&to=${to}`)];
  const answers = paths.map(async (path) => [path, await answerOf(url, path)] as const);
  const reports = await answerOf(url, `${endpoints.listComponentEvents.path}?limit=500`);
  const lastReport: string = JSON.parse(reports.text).items[0].id;
  const endsWith = (id: string | null) => (frames: StreamReader['frames']) => frames.at(-1)?.id === id;
  const texts = Object.fromEntries(await Promise.all(answers));
  return {
    ...Object.fromEntries(Object.entries(texts).map(([path, { etag, text }]) => [path, `${etag}\n${text}`])),
    listing,
    reports: reports.text,
    'stream of deployments': await replayOf(url, streams.deployments, endsWith(lastId)),
    'stream of components': await replayOf(url, streams.components, endsWith(lastReport)),
    'stream of control': await replayOf(url, streams.control, (frames) => frames.at(-1)?.event === 'reset-completed'),
  };
}

/**
 * The month up to the last day of the log. A window such as `30d` would move if midnight passed between the two readings.
 */
function monthTo(listing: string): { readonly from: string; readonly to: string } {
  const newest: string = JSON.parse(listing.split('\n', 1)[0] ?? '').items[0].happened_at;
  const endMs = (Math.floor(Date.parse(newest) / dayMs) + 1) * dayMs;
  return { from: new Date(endMs - 30 * dayMs).toISOString(), to: new Date(endMs).toISOString() };
}

/** Reads all pages and the greatest id of the log. */
async function listingOf(url: string): Promise<{ listing: string; lastId: string | null }> {
  let listing = '';
  let cursor: string | null = '';
  let lastId: string | null = null;
  while (cursor !== null) {
    const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${url}${endpoints.listDeployments.path}?limit=${pageSize}${after}`);
    const page = await response.text();
    lastId = response.headers.get('x-stream-position');
    cursor = JSON.parse(page).next_cursor;
    listing += `${page}\n`;
  }
  return { listing, lastId };
}

/** Reads a response body and its ETag. Omits the creation time. */
async function answerOf(url: string, path: string): Promise<{ etag: string | null; text: string }> {
  const response = await fetch(`${url}${path}`, { headers: keys });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} returned ${response.status}: ${text}`);
  return { etag: response.headers.get('etag'), text: text.replace(/"generated_at":"[^"]*"/, '') };
}

/** Reads a stream from the start of the log until the condition is true. */
async function replayOf(
  url: string,
  { path }: Stream,
  complete: (frames: StreamReader['frames']) => boolean,
): Promise<string> {
  const reader = await StreamReader.connect({ url: `${url}${path}`, headers: { ...keys, 'last-event-id': nilId } });
  await reader.until(({ frames, ended }) => ended || complete(frames));
  reader.close();
  return reader.text.replaceAll(': ping\n\n', '');
}
