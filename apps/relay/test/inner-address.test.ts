import { isInner } from '@shiplog/component';
import { expect, test } from 'vitest';
import { allowedHost } from '../src/sender/allowed-hosts.ts';
import { addressFault } from '../src/targets/target-node.ts';

const inner = [
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1'],
  ...['100.127.255.255', '0.0.0.0', '0.1.2.3', '::', 'fc00::1', 'fdff::1', 'fe80::1', 'fec0::1', '::ffff:10.0.0.1'],
  ...['::ffff:a00:1', '::10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1', '2002:a00:1::1'],
  ...['::ffff:0:192.168.1.1', '0x0a.1', '012.0.0.1', '167772161', '10.1'],
];
test.each(inner)('the address %s is internal', (address) => {
  expect(isInner(address)).toBe(true);
});

const outer = [
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1',
  '127.0.0.1',
  '::1',
  '64:ff9b::8.8.8.8',
  'acme.com',
];
test.each(outer)('the address %s is external', (address) => {
  expect(isInner(address)).toBe(false);
});

const none = new Set<string>();
test.each([
  ...['https://10.0.0.1/hook', 'https://0x0a000001/hook', 'https://167772161/', 'https://012.0.0.1/', 'https://10.1/'],
  ...['https://[::ffff:10.0.0.1]/', 'https://[fd00::1]/', 'https://[fe80::1]/', 'https://10.0.0.1./', 'https://0/'],
  ...['https://①⓪.0.0.1/', 'https://%31%30.0.0.1/', 'https://[64:ff9b::a00:1]/'],
])('the target address %s is refused', (url) => {
  expect(addressFault(url, none)).toMatch(/uses .*, an address inside the network/);
});

test.each([
  ['https://acme.com/hook', undefined],
  ['http://127.0.0.1:9/hook', undefined],
  ['http://localhost/hook', undefined],
  ['http://[::1]/hook', undefined],
  ['http://acme.com/secret-hook', 'uses http for acme.com; use https, or add the host to allow_hosts'],
  ['ftp://acme.com', 'must be a URL such as https://acme.com/path, without a user name'],
  ['https://u:p@acme.com', 'must be a URL such as https://acme.com/path, without a user name'],
])('the error for the target address %s is: %s', (url, fault) => {
  expect(addressFault(url, none)).toBe(fault);
});

test.each([
  ['hooks.internal', 'http://hooks.internal/x', true],
  ['HOOKS.internal', 'http://hooks.internal:8080/x', true],
  ['10.1.2.3:8443', 'https://10.1.2.3:8443/x', true],
  ['10.1.2.3:8443', 'https://10.1.2.3/x', false],
  ['10.1.2.3:443', 'https://10.1.2.3/x', true],
  ['10.1.2.3', 'https://0x0a010203:8443/x', true],
  ['0x0a.0x010203', 'https://10.1.2.3/x', true],
  ['[fd00::1]:8443', 'https://[fd00::1]:8443/x', true],
  ['fd00::1', 'https://[fd00:0::1]/x', true],
  ['hooks.internal', 'http://other.hooks.internal/x', false],
])('with %s in allow_hosts, %s is allowed: %s', (item, url, allowed) => {
  expect(addressFault(url, new Set([allowedHost(item) ?? '']))).toEqual(allowed ? undefined : expect.any(String));
});

test.each(['a/b', 'http://a', 'a b', '', 'a:b', 'u@h', '10.0.0.1:99999999'])(
  '%j is not a valid host in allow_hosts',
  (item) => {
    expect(allowedHost(item)).toBeUndefined();
  },
);
