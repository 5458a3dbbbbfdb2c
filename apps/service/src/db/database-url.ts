import type { Connection } from './database.ts';

export interface Way {
  readonly connection: Connection;
  /** A remark for the log about how the URL is understood. */
  readonly notice?: string;
}

/** How to connect to the database of a URL. */
export function wayOf(databaseUrl: string): Way {
  const { searchParams } = new URL(databaseUrl);
  const mode = searchParams.get('sslmode') ?? '';
  if (!['prefer', 'require', 'verify-ca'].includes(mode) || searchParams.get('uselibpqcompat') === 'true') {
    return { connection: { connectionString: databaseUrl } };
  }
  // The driver treats them so anyway, with a warning of its own.
  const strict = databaseUrl.replace(/([?&]sslmode=)[^&#]*/g, '$1verify-full');
  return {
    connection: { connectionString: strict },
    notice: `sslmode=${mode} of DATABASE_URL is taken as verify-full: the certificate of the database server and its name are checked`,
  };
}
