import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export const operationsPage = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');

/** The folder of the newest installed PostgreSQL that has client programs, or `undefined`. */
export const installedPostgres = newestPostgres();

function newestPostgres(): string | undefined {
  const root = '/usr/lib/postgresql';
  const majors = existsSync(root) ? readdirSync(root).map(Number).filter(Number.isInteger) : [];
  const complete = majors.filter((major) =>
    ['initdb', 'pg_dump', 'pg_basebackup'].every((name) => existsSync(`${root}/${major}/bin/${name}`)),
  );
  return complete.length === 0 ? undefined : `${root}/${Math.max(...complete)}`;
}

/** The commands under a heading of docs/operations.md. */
function recipe(heading: string): string {
  const [, text] =
    new RegExp(`^### ${heading}\n(?:(?!^#)[^])*?^\`\`\`sh\n([^]*?)^\`\`\``, 'm').exec(operationsPage) ?? [];
  if (text === undefined) throw new Error(`docs/operations.md has no commands under "${heading}"`);
  return text;
}

export interface RecipeOptions {
  readonly environment: Readonly<Record<string, string>>;
  /** The user that runs the commands; by default the user of this process. */
  readonly account?: { readonly uid: number; readonly gid: number };
  /** Replacements for words in the commands. */
  readonly instead?: Readonly<Record<string, string>>;
}

/** Runs the commands under these headings in one shell. Rejects with the output of the first command that fails. */
export async function runRecipes(
  headings: readonly string[],
  { environment, account, instead = {} }: RecipeOptions,
): Promise<void> {
  let text = headings.map(recipe).join('');
  for (const [words, others] of Object.entries(instead)) text = text.replaceAll(words, others);
  const { PATH = '', HOME = '' } = process.env;
  const path = installedPostgres === undefined ? PATH : `${installedPostgres}/bin:${PATH}`;
  await execute('sh', ['-euc', text], {
    env: { PATH: path, HOME, ...environment },
    cwd: '/',
    ...account,
  });
}
