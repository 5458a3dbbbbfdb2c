import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { driverEndpoints, emulatorEndpoints, mockApplicationEndpoints, mockEndpoints } from '@shiplog/companions';
import {
  channels,
  endpoints,
  headerNames,
  keyHeaders,
  productVersion,
  responseHeaders,
  type ServedEndpoints,
  streams,
} from '@shiplog/contract';
import { describe, expect, test } from 'vitest';
import { codeOf, filesBelow, root, type SourceFile } from './repository.ts';

const linesMax = 300;

const everyFile: SourceFile[] = ['libs', 'apps', 'testing', 'conformance', 'bench', 'integrations', 'packaging', 'test']
  .flatMap(filesBelow)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
/** The modules that run in production. */
const sources = everyFile.filter(({ path }) => /^(libs|apps)\/[^/]+\/src\//.test(path));

function imports(file: SourceFile): string[] {
  return [...file.text.matchAll(/^(?:import|export)[^;]*?from '([^']+)';/gms)].map((match) => match[1] ?? '');
}

function faults(files: readonly SourceFile[], find: (file: SourceFile) => readonly string[]): string[] {
  return files.flatMap((file) => find(file).map((fault) => `${file.path}: ${fault}`));
}

const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** The packages of ours that each package may import, from the import table of ARCHITECTURE.md. */
const packageTable = new Map(
  [
    ...(architecture.split('\n## Import table\n')[1]?.matchAll(/^\| (`(?:libs|apps)\/.+?) \| (.+) \|$/gm) ?? []),
  ].flatMap(([, packages = '', allowed = '']) => quoted(packages).map((name) => [name, quoted(allowed)] as const)),
);

/** In the service, each layer imports only from its own folder and from earlier layers. */
const serviceLayers: readonly (readonly string[])[] = [
  ['domain/'],
  ['config-readers.ts'],
  ['config.ts', 'metrics.ts', 'catalog-thread.ts', 'watched-file.ts'],
  ['db/'],
  ['appender.ts', 'catalog-file.ts', 'folding.ts', 'known-end.ts', 'refused-posts.ts', 'reset.ts', 'retention.ts'],
  ['posts.ts', 'answers/', 'times.ts'],
  ['access/'],
  ['start-database.ts'],
  ['log.ts'],
  ['live.ts', 'answers.ts'],
  ['http/'],
  ['service.ts'],
  ['index.ts', 'main.ts'],
];

/** The layers of the dashboard. A view doesn't import other views. */
const dashboardLayers: readonly (readonly string[])[] = [
  ['board/', 'no-schemas.ts'],
  ['range/'],
  ['state/'],
  ['live/'],
  ['ui/'],
  ['log/', 'filters/', 'attention/', 'time-travel/', 'holds/'],
  ['first-run/'],
  ['analytics/', 'changes/', 'compare/', 'history/', 'matrix/', 'releases/', 'progress/', 'wall/'],
  ['shell/'],
  ['main.tsx'],
];

/** The layers of the fetcher. Only the adapter of a tool depends on the tool, and no adapter depends on the log. */
const fetcherLayers: readonly (readonly string[])[] = [
  ['change.ts', 'settings.ts'],
  ['domain/'],
  ['tool/'],
  ['adapter.ts'],
  ['adapters/'],
  ['config/'],
  ['config.ts'],
  ['health.ts', 'metrics.ts'],
  ['sources/'],
  ['calendars/', 'webhooks/'],
  ['http/', 'check/'],
  ['fetcher.ts'],
  ['index.ts', 'main.ts'],
];

/** The layers of the relay. A target depends neither on the log nor on other targets. */
const relayLayers: readonly (readonly string[])[] = [
  ['domain/'],
  ['sender/'],
  ['targets/'],
  ['config/'],
  ['config.ts', 'metrics.ts'],
  ['catalog.ts', 'log-reader.ts', 'target-state.ts'],
  ['stages.ts'],
  ['facts.ts', 'progress.ts'],
  ['target-loop.ts'],
  ['stuck-watch.ts', 'news-watch.ts'],
  ['commands.ts'],
  ['relay.ts'],
  ['index.ts', 'main.ts'],
];

function layerOf(
  path: string,
  layers: readonly (readonly string[])[],
): { readonly layer: number; readonly part: string } {
  for (const [layer, parts] of layers.entries()) {
    for (const part of parts) if (path.startsWith(part)) return { layer, part };
  }
  return { layer: -1, part: path };
}

describe('imports', () => {
  test('a package imports only the packages listed in its row of the table', () => {
    const programs = everyFile.filter(({ path }) => /^(libs|apps)\/[^/]+\/(src|ui|panel)\//.test(path));
    const forbidden = faults(programs, (file) => {
      const [, name = ''] = /^((?:libs|apps)\/[^/]+)/.exec(file.path) ?? [];
      const allowed = packageTable.get(name);
      if (!allowed) return [`${name} has no row in the table`];
      return imports(file).filter((target) => {
        const [, other] = /^@shiplog\/([^/]+)/.exec(target) ?? [];
        return other !== undefined && !allowed.includes(other);
      });
    });
    expect(forbidden).toEqual([]);
  });

  test.each([
    ['service', serviceLayers],
    ['dashboard', dashboardLayers],
    ['fetcher', fetcherLayers],
    ['relay', relayLayers],
  ] as const)('within the %s, a file imports only from folders to its left', (app, layers) => {
    const folder = `apps/${app}/src`;
    const inside = sources.filter(({ path }) => path.startsWith(`${folder}/`));
    const forbidden = faults(inside, (file) => {
      const own = layerOf(relative(folder, file.path), layers);
      if (own.layer < 0) return ['belongs to no layer'];
      return imports(file)
        .filter((target) => target.startsWith('.'))
        .filter((target) => {
          const other = layerOf(relative(folder, join(file.path, '..', target)), layers);
          return !(other.layer < own.layer || (other.part === own.part && own.part.endsWith('/')));
        });
    });
    expect(forbidden).toEqual([]);
  });
});

describe('the location of code', () => {
  test("modules outside the service's http/ import only app.ts from it", () => {
    const outside = sources.filter(({ path }) => /^apps\/service\/src\/(?!http\/)/.test(path));
    const reaching = faults(outside, (file) => imports(file).filter((target) => target.includes('/http/')));
    expect(reaching).toEqual(['apps/service/src/service.ts: ./http/app.ts']);
  });

  test("only the dashboard's main and worker run code when imported", () => {
    const modules = sources.filter(
      ({ path }) => path.startsWith('apps/dashboard/src/') && !/\/(main\.tsx|worker\.ts)$/.test(path),
    );
    const statement = /^(?!import|export|async|function|class|const|interface|type|declare|[\s})\]>/*]|$).*/gm;
    const made =
      /^(?:export )?const [^=\n]* = (?!.*=>).*\b(?:new Store|document|window|location|localStorage|Date\.now)\b.*/gm;
    expect(
      faults(modules, ({ text }) => [...(codeOf(text).match(statement) ?? []), ...(text.match(made) ?? [])]),
    ).toEqual([]);
  });

  test(`no source file is longer than ${linesMax} lines`, () => {
    const long = faults(everyFile, ({ text }) => {
      const lines = text.split('\n').length - 1;
      return lines > linesMax ? [`${lines} lines`] : [];
    });
    expect(long).toEqual([]);
  });

  test("in the fetcher, only a tool's adapter folder and the index of adapters name the tool", () => {
    const others = sources.filter(
      ({ path }) => path.startsWith('apps/fetcher/src/') && !path.startsWith('apps/fetcher/src/adapters/'),
    );
    expect(faults(others, ({ text }) => text.match(/git-?(?:hub|lab)/gi) ?? [])).toEqual([]);
    const adapters = sources.filter(({ path }) => path.startsWith('apps/fetcher/src/adapters/'));
    const siblings = faults(adapters, (file) => {
      const folder = dirname(file.path);
      if (folder.endsWith('/adapters')) return [];
      const others = (target: string) => /\/src\/adapters\//.test(join(folder, target)) && target.startsWith('../');
      return imports(file).filter(others);
    });
    expect(siblings).toEqual([]);
  });

  test('SQL statements occur only in db/ folders', () => {
    const statement =
      /['"`]\s*(select|insert into|update|delete from|create (or|table|index|unique|temp)|listen|truncate|with (recursive |\w+ as))\s/i;
    const elsewhere = sources.filter(
      ({ path }) =>
        !path.includes('/db/') && !path.startsWith('apps/dashboard/') && !path.startsWith('libs/embedded-postgres/'),
    );
    expect(faults(elsewhere, ({ text }) => statement.exec(codeOf(text)) ?? [])).toEqual([]);
  });

  test("only a program's main reads environment variables", () => {
    const readers = sources.filter(({ path }) => !path.endsWith('/main.ts'));
    expect(faults(readers, ({ text }) => codeOf(text).match(/process\.env/g) ?? [])).toEqual([]);
  });

  test('only contract and companions contain paths, headers and channels of the API', () => {
    const words = [
      ...Object.values({ ...endpoints, ...mockEndpoints, ...driverEndpoints, ...emulatorEndpoints }).map(
        ({ path }) => path,
      ),
      ...Object.values(streams).map(({ path }) => path),
      ...channels,
      ...[...Object.values(headerNames), ...Object.values(keyHeaders), ...Object.keys(responseHeaders)].filter((name) =>
        name.startsWith('X-'),
      ),
    ].map((word) => word.toLowerCase());
    const others = sources.filter(({ path }) => !/^libs\/(contract|companions)\//.test(path));
    const copies = faults(others, ({ text }) => {
      const strings = codeOf(text).match(/'[^'\n]*'|`[^`]*`/g) ?? [];
      return words.filter((word) => strings.some((string) => string.slice(1, -1).toLowerCase() === word));
    });
    expect(copies).toEqual([]);
  });
});

test('every package.json has the version of the product', () => {
  const folders = [
    ...['.', 'testing', 'conformance', 'bench', 'integrations', 'packaging', 'test'],
    ...['apps', 'libs'].flatMap((top) => readdirSync(join(root, top)).map((name) => `${top}/${name}`)),
  ];
  // A folder that has only build output from an earlier version is not a package.
  const packages = folders.filter((folder) => existsSync(join(root, folder, 'package.json')));
  const others = packages.filter((folder) => {
    const { version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string };
    return version !== productVersion;
  });
  expect(others).toEqual([]);
});

test('the suffix of a test file determines the run that it belongs to', () => {
  const infix = /\.(property|browser|slow|long|alone)\.test\.ts$/;
  const wrong = everyFile
    .map(({ path }) => path)
    .filter((path) => /\.(tests?|spec)\.tsx?$/.test(path))
    .filter((path) => !/^[^.]+\.test\.ts$/.test(path.replace(infix, '.test.ts')));
  expect(wrong).toEqual([]);
});

describe('coverage', () => {
  // The specification does not include badges.
  const { getBadge, ...specified } = endpoints;

  test.each([
    ['service', 'conformance/', specified],
    ['service', 'apps/service/test/', { getBadge }],
    ['mock', 'conformance/', mockApplicationEndpoints],
    ['mock', 'apps/mock/test/', mockEndpoints],
    ['demo-driver', 'apps/demo-driver/test/', driverEndpoints],
    ['ci-emulator', 'apps/ci-emulator/test/', emulatorEndpoints],
  ] as const)('every endpoint that the %s serves has tests in %s', (app, folder, table: ServedEndpoints) => {
    const served = sources
      .filter(({ path }) => path.startsWith(`apps/${app}/src/http/`))
      .flatMap(({ text }) => [...text.matchAll(/\.serve\('(\w+)'/g)].map((match) => match[1] ?? ''))
      .flatMap((name) => table[name] ?? []);
    expect(served).not.toEqual([]);
    const suite = everyFile.filter(({ path }) => path.startsWith(folder) && path.endsWith('.test.ts'));
    const untested = served.filter(({ path }) => {
      const [fixed = ''] = path.split('{');
      return !suite.some(({ text }) => text.includes(fixed));
    });
    expect(untested.map(({ path }) => path)).toEqual([]);
  });
});
