const pollMs = 500;

/**
 * Sends SIGTERM to this process when its parent is gone. A signal to npx ends the shell between npx and a program, but
 * not the program, which would continue unnoticed. Only polling the parent detects that.
 */
export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
  }, pollMs).unref();
}
