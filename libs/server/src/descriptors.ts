import { readFileSync } from 'node:fs';

/** For what isn't a connection of a client: the database, files, the process itself. */
const ownDescriptors = 200;
/** Some are taken however few there are. */
const connectionsMin = 16;

/** How many connections a process can take, at most `wanted`, and a sentence where that is fewer. */
export interface DescriptorRoom {
  readonly connections: number;
  readonly warning: string | undefined;
}

export function descriptorRoom(wanted: number, descriptors: number = openFilesMax()): DescriptorRoom {
  const connections = Math.max(Math.min(wanted, descriptors - ownDescriptors), connectionsMin);
  if (connections === wanted) return { connections, warning: undefined };
  return {
    connections,
    warning: `this process may open ${descriptors} files, enough for ${connections} connections instead of ${wanted}; raise the limit to ${wanted + ownDescriptors} (ulimit -n, or LimitNOFILE of systemd)`,
  };
}

/** The limit that Node has raised as far as it may; without /proc it isn't known. */
function openFilesMax(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' || limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
