import { Database } from '../../src/db/database.ts';
import { foldStep } from '../../src/db/folds/step.ts';
import { Servers } from '../../src/db/servers.ts';

/** Takes steps until the folds have every event. */
export async function foldAll(url: string): Promise<void> {
  const database = new Database(new Servers([{ connectionString: url }]), () => undefined);
  await foldAllOn(database);
  await database.stop();
}

export async function foldAllOn({ folds }: Pick<Database, 'folds'>): Promise<void> {
  while ((await folds.session((session) => foldStep(session, { wait: true })))?.isFull);
}
