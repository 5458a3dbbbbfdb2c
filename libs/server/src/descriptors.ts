import { readFileSync } from 'node:fs';

/** For what isn't a connection of a client: the database, files, the process itself. */
const ownDescriptors = 200;
/** Accepted even with few descriptors. */
const connectionsMin = 16;

/** How many connections a process can accept, at most `wanted`, and a warning if fewer. */
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

/** The limit, raised by Node as far as allowed; unknown without /proc. */
function openFilesMax(): number {
  try {
    const [, limit = ''] = /^Max open files +(\d+|unlimited)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === 'unlimited' || limit === '' ? Number.POSITIVE_INFINITY : Number(limit);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
