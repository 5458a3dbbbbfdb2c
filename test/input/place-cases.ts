import type { Case, Target } from './cases.ts';

const methods: readonly string[] = [
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MKCOL', 'COPY', 'LOCK'],
  'SEARCH',
  ...['PURGE', 'M-SEARCH', 'LINK', 'REPORT', 'SUBSCRIBE'],
];

/** Unknown paths that are similar to this path. */
function almost(path: string): string[] {
  const others = ['/', '//', '/x/y/z', '/x/..%2f..%2f', ';x=1', '%20', '%00', '%zz', '.json'].map((end) => path + end);
  const slashes = path.replaceAll(/(?<=.)\//g, '%2F');
  const backslashes = path.replaceAll(/(?<=.)\//g, '\\');
  const capital = path.replace(/[a-z]/, (letter) => letter.toUpperCase());
  return [...others, `/${path}`, `/x/..${path}`, slashes, backslashes, capital].filter((other) => other !== path);
}

/** The paths of a template. */
function shapeOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/**
 * Cases with unsupported methods and unknown paths. The requests have a valid key and body, because 404 and 405 are
 * checked first (reading 1.4).
 */
export function placeCases(targets: readonly Target[]): Case[] {
  return targets.flatMap((target) => {
    const { path: template } = target.operation;
    const own = targets.filter(({ operation }) => operation.path === template).map(({ operation }) => operation.method);
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : [])].sort();
    const path = target.call().path.replace(/\?.*$/, '');
    // If the path ends with a parameter, a suffix becomes part of the parameter's value.
    const isValue = (other: string) =>
      template.endsWith('}') && !other.startsWith(`${path}/`) && other.startsWith(path);
    const isServed = (other: string) =>
      targets.some(({ operation }) => operation.path !== template && shapeOf(operation.path).test(other));
    return [
      ...methods
        .filter((method) => !allow.includes(method))
        .map((method) => ({ kind: 'wrong method', call: target.call({}, method), statuses: [405], allow })),
      ...almost(path)
        .filter((other) => !isValue(other) && !isServed(other))
        .map((other) => ({ kind: 'unknown path', call: { ...target.call(), path: other }, statuses: [404] })),
    ];
  });
}
