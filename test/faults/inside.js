/**
 * The harness loads this module into each instance. It adjusts the clock of the instance and reports open handles,
 * using files named in environment variables.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const everyMs = 2000;
const { FAULTS_CLOCK_FILE = '', FAULTS_ACCOUNT_FILE = '' } = process.env;
const parent = process.ppid;
const trueNow = Date.now;
const on = process.on;
let aheadMs = Number(readFileSync(FAULTS_CLOCK_FILE, 'utf8'));

Date.now = () => trueNow() + aheadMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, parameters, made) =>
    Reflect.construct(target, parameters.length > 0 ? parameters : [target.now()], made),
});

process.on('SIGUSR2', () => {
  aheadMs = Number(readFileSync(FAULTS_CLOCK_FILE, 'utf8'));
});

// Ctrl-C in a terminal reaches the harness and its instances. The instances ignore it, because the harness ends them.
process.on('SIGINT', () => undefined);
process.on = (name, listener) => (name === 'SIGINT' ? process : on.call(process, name, listener));

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
  writeFileSync(FAULTS_ACCOUNT_FILE, JSON.stringify(account()));
}, everyMs).unref();

function account() {
  let sockets = 0;
  let listeners = 0;
  let backlogBytes = 0;
  for (const open of [process, ...process._getActiveHandles()]) {
    const registered = (open.eventNames?.() ?? []).map((name) => open.listenerCount(name));
    if (open.remoteAddress !== undefined) sockets += 1;
    listeners = Math.max(listeners, ...registered);
    backlogBytes = Math.max(backlogBytes, open.writableLength ?? 0);
  }
  return { handles: readdirSync('/dev/fd').length - sockets, listeners, backlogBytes };
}
