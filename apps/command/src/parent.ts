const lookMs = 500;

/**
 * Ends this process as SIGTERM does when its parent is gone. A signal to npx reaches the shell between npx and a
 * program, and not the program, which would go on for nobody. Nothing but a look at the parent tells of that.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, lookMs).unref();
}
