import pg from 'pg';
import { expect, test } from 'vitest';
import { databaseAddress } from '../src/db/database-url.ts';
import { DatabaseUnavailable } from '../src/db/errors.ts';
import { databaseProblemText } from '../src/db/server-check.ts';

/** A server error as the driver reports it. */
function said(code: string, message: string): Error {
  return Object.assign(new pg.DatabaseError(message, message.length, 'error'), { code });
}

/** A system error as Node reports it. */
function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

const withoutTls = 'no pg_hba.conf entry for host "10.0.0.7", user "shiplog", database "shiplog", no encryption';

test.each<[string, Error, RegExp]>([
  [
    'a server that requires encryption',
    said('28000', withoutTls),
    /^The database server doesn't accept unencrypted connections from here \(no pg_hba.*\)\. Add sslmode=verify-full to DATABASE_URL, or an entry to its pg_hba\.conf\.$/,
  ],
  [
    'a server that rejects unencrypted connections',
    said('28000', 'pg_hba.conf rejects connection for host "10.0.0.7", user "a", database "b", no encryption'),
    /^The database server doesn't accept unencrypted connections from here/,
  ],
  [
    'unencrypted connections on PostgreSQL 14',
    said('28000', 'no pg_hba.conf entry for host "10.0.0.7", user "shiplog", database "shiplog", SSL off'),
    /^The database server doesn't accept unencrypted connections from here/,
  ],
  [
    'a machine without an entry in pg_hba.conf',
    said('28000', 'no pg_hba.conf entry for host "10.0.0.7", user "a", database "b", SSL encryption'),
    /^The database server's pg_hba\.conf has no entry for this user from here \(.*\)\. Add one, or correct/,
  ],
  [
    'a socket, which is never encrypted',
    said('28000', 'no pg_hba.conf entry for host "[local]", user "a", database "b", no encryption'),
    /^The database server's pg_hba\.conf has no entry/,
  ],
  [
    'a wrong password',
    said('28P01', 'password authentication failed for user "shiplog"'),
    /^The database rejected the user or password in DATABASE_URL/,
  ],
  [
    'a server with no connection left',
    said('53300', 'sorry, too many clients already'),
    /^The database server has no connections left \(sorry.*\), and an instance needs 19\. Raise max_connections, or/,
  ],
  [
    'a self-signed certificate',
    failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'),
    /^The database server's certificate can't be trusted \(self-signed certificate\)\. Name the certificate authority with sslroot/,
  ],
  [
    'a certificate for another name',
    failed('ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"),
    /^The database server's certificate can't be trusted/,
  ],
  [
    'a certificate of an unknown authority',
    failed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'),
    /^The database server's certificate can't be trusted/,
  ],
  [
    'a server without TLS',
    new Error('The server does not support SSL connections'),
    /^The database server doesn't support TLS, but sslmode in DATABASE_URL requires it\. Enable TLS on the server, or/,
  ],
  ['silence', new Error('Query read timeout'), /^Can't reach the database at DATABASE_URL \(Query read timeout\)\./],
  [
    'a pool error',
    new DatabaseUnavailable('too many', { cause: said('53300', 'too many connections for role "a"') }),
    /^The database server has no connections left/,
  ],
  [
    'a pool on a standby',
    new DatabaseUnavailable('the way to the database leads to a standby'),
    /^Can't reach the database at DATABASE_URL \(the way to the database leads to a standby\)/,
  ],
])('%s is explained in one sentence', (_, error, sentence) => {
  expect(databaseProblemText(error)).toMatch(sentence);
});

test('a bug in this program is not a database problem', () => {
  expect(databaseProblemText(new TypeError('x is undefined'))).toBeUndefined();
  expect(databaseProblemText(said('42601', 'syntax error at or near "selct"'))).toBeUndefined();
});

test.each([
  ['prefer', 'postgres://db/shiplog?sslmode=prefer'],
  ['require', 'postgres://a:b@db/shiplog?application_name=x&sslmode=require'],
  ['verify-ca', 'postgres://db/shiplog?sslmode=verify-ca&sslrootcert=/ca.pem'],
])('sslmode=%s is treated as verify-full, and a message says so', (mode, url) => {
  const { connections, notice } = databaseAddress(url);
  expect(connections).toEqual([{ connectionString: url.replace(mode, 'verify-full') }]);
  expect(notice).toMatch(
    new RegExp(`^sslmode=${mode} in DATABASE_URL is treated as verify-full: the database server's certificate`),
  );
});

test.each([
  'postgres://db/shiplog',
  'postgres://db/shiplog?sslmode=verify-full',
  'postgres://db/shiplog?sslmode=no-verify',
  'postgres://db/shiplog?sslmode=disable',
  'postgres://db/shiplog?uselibpqcompat=true&sslmode=require',
])('%s is used unchanged', (url) => {
  expect(databaseAddress(url)).toEqual({ connections: [{ connectionString: url }] });
});

test.each<[string, string[]]>([
  ['postgres://u:a,b@db-1:5432,db-2/x', ['postgres://u:a,b@db-1:5432/x', 'postgres://u:a,b@db-2/x']],
  [
    'postgres://[::1],db/x?target_session_attrs=read-write&sslmode=disable',
    ['postgres://[::1]/x?sslmode=disable', 'postgres://db/x?sslmode=disable'],
  ],
  [
    'postgres:///x?host=a,b&port=5432,5433&user=me',
    ['postgres:///x?user=me&host=a&port=5432', 'postgres:///x?user=me&host=b&port=5433'],
  ],
  ['postgres://u@l/x?host=/run/a%2C/run/b', ['postgres://u@l/x?host=%2Frun%2Fa', 'postgres://u@l/x?host=%2Frun%2Fb']],
  ['postgres://db/x?host=a,b&port=1', ['postgres://db/x?host=a&port=1', 'postgres://db/x?host=b&port=1']],
])('%s is split into one URL per host', (url, due) => {
  expect(databaseAddress(url)).toEqual({ connections: due.map((connectionString) => ({ connectionString })) });
});
