/** The prefix of every secret that a test gives to a program: keys and passwords. */
export const secretMark = 'secret-of-';

/** @throws Error if a program's output contains a secret. No response or log line may contain one (§5 rule 3). */
export function refuseSecrets(where: string, said: Buffer | string): void {
  const at = said.indexOf(secretMark);
  if (at < 0) return;
  const context = said.slice(Math.max(0, at - 200), at + 100).toString();
  throw new Error(`${where} contains a secret: ${JSON.stringify(context)}`);
}
