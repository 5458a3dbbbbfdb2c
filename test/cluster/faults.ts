import { setTimeout as delay } from 'node:timers/promises';
import { signalTo } from '@shiplog/testing/process-table';
import type { Cluster } from './cluster.ts';

/** A single fault in a cluster. */
export interface ClusterFault {
  readonly kind: string;
  /** Injects the fault and ends it. The cluster may still be recovering when the promise resolves. */
  readonly happen: (cluster: Cluster) => Promise<void>;
}

/** Longer than the TTL of the primary's key, so that another node takes over. */
const hungMs = 25_000;
const awayMs = 10_000;
const goneMs = 5000;
const choiceMs = 60_000;
const lookAgainMs = 500;
/** How long posts continue while no standby receives them. */
const heldBackMs = 1500;

export const switchover: ClusterFault = {
  kind: 'switchover',
  happen: async (cluster) => {
    // After a fault, Patroni takes some time to record the synchronous standby, and the standby reports it even later.
    for (const deadline = performance.now() + choiceMs; ; await delay(lookAgainMs)) {
      const [leader, candidate] = [await cluster.primary(), await cluster.standby()];
      const { status, text } = await leader.ask('switchover', { leader: leader.name, candidate: candidate.name });
      if (status === 200) return;
      if (performance.now() > deadline) throw new Error(`Patroni does not switch over: ${status} ${text}`);
    }
  },
};

const killedServer: ClusterFault = {
  kind: 'kill -9 of the primary server',
  happen: async (cluster) => {
    await (await cluster.primary()).killServer();
    // Patroni still reports the node as primary until it checks its server again.
    await cluster.broken();
  },
};

export const lostNode: ClusterFault = {
  kind: 'the primary node is lost',
  happen: async (cluster) => {
    const node = await cluster.primary();
    await node.lose();
    await delay(goneMs);
    node.start();
  },
};

export const hungNode: ClusterFault = {
  kind: 'the primary node is suspended and resumed',
  happen: async (cluster) => {
    const goOn = await (await cluster.primary()).hang('node');
    await delay(hungMs);
    await goOn();
  },
};

const hungServer: ClusterFault = {
  kind: 'the server of the primary is suspended and resumed',
  happen: async (cluster) => {
    const goOn = await (await cluster.primary()).hang('server');
    await delay(hungMs);
    await goOn();
  },
};

/** The old primary is not fenced and continues to run next to the promoted one. */
export const hungManager: ClusterFault = {
  kind: 'Patroni of the primary is suspended while its server runs, and resumed',
  happen: async (cluster) => {
    const goOn = await (await cluster.primary()).hang('manager');
    await delay(hungMs);
    await goOn();
  },
};

const hungStandby: ClusterFault = {
  kind: 'the synchronous standby is suspended and resumed',
  happen: async (cluster) => {
    const goOn = await (await cluster.standby()).hang('node');
    await delay(hungMs);
    await goOn();
  },
};

const killedStandby: ClusterFault = {
  kind: 'kill -9 of the synchronous standby',
  happen: async (cluster) => (await cluster.standby()).killServer(),
};

/** Patroni removes the standby's data and copies all data from the primary again, as after a failed rewind. */
export const copiedStandby: ClusterFault = {
  kind: 'the synchronous standby is copied again',
  happen: async (cluster) => {
    const { status, text } = await (await cluster.standby()).ask('reinitialize', { force: true });
    if (status !== 200) throw new Error(`Patroni does not copy the standby again: ${status} ${text}`);
    await cluster.broken();
  },
};

const etcdAway: ClusterFault = {
  kind: 'etcd is suspended and resumed',
  happen: async (cluster) => {
    const goOn = cluster.hangEtcd();
    await delay(awayMs);
    goOn();
  },
};

/** Faults that must not lose events if standbys are synchronous. */
export const synchronousFaults: readonly ClusterFault[] = [
  switchover,
  killedServer,
  lostNode,
  hungNode,
  hungServer,
  hungManager,
  hungStandby,
  killedStandby,
  copiedStandby,
  etcdAway,
];

/**
 * The control experiment: without synchronous standbys this fault loses acknowledged posts, and the checks must find
 * the losses.
 */
export const heldBackAndLost: ClusterFault = {
  kind: 'the node is lost while its standbys are behind',
  happen: async (cluster) => {
    const streaming = `select pid from pg_stat_replication where state = 'streaming'`;
    let senders: { pid: number }[] = [];
    // All standbys must be connected, because a standby that reconnects later would receive everything.
    while (senders.length < cluster.nodes.length - 1) senders = await cluster.onPrimary(streaming);
    for (const { pid } of senders) process.kill(pid, 'SIGSTOP');
    await delay(heldBackMs);
    const node = await cluster.primary();
    await node.lose();
    for (const { pid } of senders) signalTo(pid, 'SIGKILL');
    await delay(goneMs);
    node.start();
  },
};
