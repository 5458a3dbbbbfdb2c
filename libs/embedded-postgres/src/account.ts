import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { DatabaseStartError } from './errors.ts';

/** An operating system user. */
export interface Account {
  uid: number;
  gid: number;
  /** The uid if the user has no name. */
  name: string;
}

/** PostgreSQL refuses to run as root; `_postgres` is the name on macOS. */
const candidates = ['postgres', '_postgres', 'nobody'];

export function runsAsRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The user of this process. Only initdb needs a passwd entry. */
export function ownAccount(): Account {
  const uid = process.getuid?.() ?? -1;
  return { uid, gid: process.getgid?.() ?? -1, name: ownName() ?? String(uid) };
}

function ownName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

/** initdb fails for a uid without a passwd entry. */
export async function hasPasswdEntry(account: Account): Promise<boolean> {
  if (!runsAsRoot()) return ownName() !== undefined;
  return (await readAccounts()).some((entry) => entry.uid === account.uid);
}

/**
 * The user that runs the database for root.
 * @throws DatabaseStartError if the machine has none of the usual users.
 */
export async function unprivilegedAccount(): Promise<Account> {
  const accounts = await readAccounts();
  const named = candidates.flatMap((name) => accounts.filter((account) => account.name === name && account.uid !== 0));
  if (named[0]) return named[0];
  throw new DatabaseStartError(
    'PostgreSQL does not run as root, and /etc/passwd has neither the user postgres nor the user nobody. Start this program as an ordinary user, or set DATABASE_URL to a PostgreSQL 14 or newer server.',
  );
}

/** A file can belong to a uid that has no user name on this machine. */
export async function accountOf(uid: number, gid: number): Promise<Account> {
  const named = (await readAccounts()).find((account) => account.uid === uid);
  return named ?? { uid, gid, name: String(uid) };
}

async function readAccounts(): Promise<Account[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}
