import { type UnzipFileInfo, unzipSync } from 'fflate';
import type { ToolHttp } from '../../tool/tool-http.ts';
import { type ListedArtifact, pickArtifacts } from './api.ts';

const zipBytesMax = 1024 * 1024;
const textBytesMax = 64 * 1024;
/** Deflated data may be this much longer than the original. */
const deflatedExtra = 1024;

export interface Wanted {
  readonly repoPath: string;
  readonly runPath: string;
  readonly name: string;
  /** Texts by artifact id: their content never changes. */
  readonly texts: Map<number, string>;
}

/**
 * The trimmed text of the one file in the newest artifact with a name; empty if there is none (fetcher
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

/** The trimmed text of the only file in a zip, at most 64 KiB of UTF-8; empty for anything else. */
export function textOfZip(bytes: Uint8Array): string {
  try {
    const listed: UnzipFileInfo[] = [];
    unzipSync(bytes, { filter: (file) => !file.name.endsWith('/') && listed.push(file) < 0 });
    const [only, ...others] = listed;
    // The declared size bounds the memory, the deflated size bounds the time.
    if (!only || others.length > 0 || only.originalSize > textBytesMax) return '';
    if (only.size > only.originalSize + deflatedExtra) return '';
    const [content] = Object.values(unzipSync(bytes, { filter: ({ name }) => name === only.name }));
    return new TextDecoder('utf-8', { fatal: true }).decode(content).trim();
  } catch {
    return '';
  }
}
