import { type UnzipFileInfo, unzipSync } from 'fflate';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type ListedArtifact, pickArtifacts } from './api.ts';

const zipBytesMax = 1024 * 1024;
const textBytesMax = 64 * 1024;
/** Deflated data may be this much longer than what was deflated. */
const deflatedExtra = 1024;

export interface Wanted {
  /** `/repos/{owner}/{name}` */
  readonly repoPath: string;
  readonly runPath: string;
  readonly name: string;
  /** What was read by the ids of artifacts: their content never changes. */
  readonly texts: Map<number, string>;
}

/**
 * The trimmed text of the one file of an artifact of a run, the newest of its name; empty where there is none (fetcher
 * §9.2).
 * @throws what `ToolHttp` throws
 */
export async function artifactOf(
  http: ToolHttp,
  { repoPath, runPath, name, texts }: Wanted,
  signal: AbortSignal,
): Promise<string> {
  const found: ListedArtifact[] = [];
  for await (const { body } of http.pages(`${runPath}/artifacts?per_page=100`, signal, pickArtifacts))
    found.push(...body.filter((one) => one.name === name && !one.expired));
  const [newest] = found.toSorted((one, other) => other.id - one.id);
  if (!newest) return '';
  const read = async () =>
    textOfZip(await http.bytes(`${repoPath}/actions/artifacts/${newest.id}/zip`, signal, zipBytesMax));
  const text = texts.get(newest.id) ?? (await read());
  texts.set(newest.id, text);
  return text;
}

/** The trimmed text of the only file of a zip, at most 64 KiB of UTF-8; empty for any other zip, and for what is none. */
export function textOfZip(bytes: Uint8Array): string {
  try {
    const listed: UnzipFileInfo[] = [];
    unzipSync(bytes, { filter: (file) => !file.name.endsWith('/') && listed.push(file) < 0 });
    const [only, ...others] = listed;
    // The memory is given by what the zip says of itself, the time by the length of what is deflated.
    if (!only || others.length > 0 || only.originalSize > textBytesMax) return '';
    if (only.size > only.originalSize + deflatedExtra) return '';
    const [content] = Object.values(unzipSync(bytes, { filter: ({ name }) => name === only.name }));
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trim();
  } catch {
    return '';
  }
}
