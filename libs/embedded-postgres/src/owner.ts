import { randomUUID } from 'node:crypto';
import { readdir, readlink, rename, symlink, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupFault, systemCode, unless } from './fault.ts';
import { isRunning, startMark } from './process-table.ts';

/** The right to run a server on one data directory. */
export interface Owner {
  /** Gives the directory back; a second call does nothing. */
  release(): Promise<void>;
}

interface Claim {
  pid: number;
  mark: string | undefined;
  nonce: string;
}

const fileName = 'shiplog.owner';
const attemptsMax = 100;

/**
 * Claims a data directory for this process, or throws a StartupFault that names the process which has it.
 *
 * The owner file is a symbolic link whose target is the claim's text: making one is the only file operation that
 * refuses an existing name and brings its content along in the same step, so nobody ever reads half a claim.
 *
 *   no file        -> make it: the file system lets exactly one through
 *   living claim   -> refused
 *   dead claim N   -> make the heir link `shiplog.owner.N` (again only one gets through), see that the owner file
 *                     still leads to it, then rename it over the owner file
 *
 * Deleting a dead claim and making a new one would be shorter and wrong: of two that saw the same dead claim, the
 * slower deletes the faster one's living claim. An heir that dies half-way has an heir of its own, hence the chain.
 */
export async function claimOwner(dataDir: string): Promise<Owner> {
  const file = join(dataDir, fileName);
  const mine: Claim = { pid: process.pid, mark: startMark(process.pid), nonce: randomUUID() };
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    if (await tryClaim(file, mine, dataDir)) {
      await removeHeirs(dataDir);
      return { release: () => release(file, mine) };
    }
  }
  throw new StartupFault(
    `Other processes are starting on ${dataDir} all the time: stop them and start this one again.`,
  );
}

async function tryClaim(file: string, mine: Claim, dataDir: string): Promise<boolean> {
  const chain = await readChain(file);
  const living = chain.find((claim) => isRunning(claim.pid, claim.mark));
  if (living) throw inUse(dataDir, living.pid);
  const last = chain.at(-1);
  if (last === undefined) return makeClaim(file, mine);
  const heir = heirFile(file, last);
  if (!(await makeClaim(heir, mine))) return false;
  const reached = (await readChain(file)).some((claim) => claim.nonce === mine.nonce);
  if (reached) await rename(heir, file);
  else await unless(['ENOENT'], unlink(heir));
  return reached;
}

/** The sentence for a data directory that another process works on. */
export function inUse(dataDir: string, pid: number): StartupFault {
  return new StartupFault(
    `The data directory ${dataDir} is in use by process ${pid}: stop that process, or point DATA_DIR at another folder.`,
  );
}

async function release(file: string, mine: Claim): Promise<void> {
  const current = await readClaim(file);
  if (current?.nonce === mine.nonce) await unless(['ENOENT'], unlink(file));
}

/** Heirs that died half-way; whoever is making one at this moment will find a living owner and step back. */
async function removeHeirs(dataDir: string): Promise<void> {
  const heirs = (await readdir(dataDir)).filter((name) => name.startsWith(`${fileName}.`));
  await Promise.all(heirs.map((name) => unless(['ENOENT'], unlink(join(dataDir, name)))));
}

/** The claim in the owner file, then its heir, then the heir's heir; more than one only where heirs have died. */
async function readChain(file: string): Promise<Claim[]> {
  const chain: Claim[] = [];
  let claim = await readClaim(file);
  while (claim) {
    chain.push(claim);
    claim = await readClaim(heirFile(file, claim));
  }
  return chain;
}

function heirFile(file: string, claim: Claim): string {
  return `${file}.${claim.nonce}`;
}

/** False when the name is taken. */
async function makeClaim(path: string, claim: Claim): Promise<boolean> {
  try {
    await symlink(`${claim.pid} ${claim.mark ?? '-'} ${claim.nonce}`, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readClaim(path: string): Promise<Claim | undefined> {
  const text = await unless(['ENOENT'], readlink(path));
  if (text === undefined) return undefined;
  const [pid = '', mark = '-', nonce = ''] = text.split(' ');
  return { pid: Number(pid), mark: mark === '-' ? undefined : mark, nonce };
}
