import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '@shiplog/testing';
import { expect, test } from 'vitest';
import { root } from './repository.ts';

test('a build compiles only projects whose output is missing or whose sources changed', async () => {
  const project = await smallProject();
  project.build();
  const away = `${project.compiler}-away`;
  renameSync(project.compiler, away);
  project.build();
  renameSync(away, project.compiler);
  rmSync(project.output, { recursive: true });
  project.build();
  expect(existsSync(project.output)).toBe(true);
  writeFileSync(project.source, 'export const broken: number = "text";');
  expect(() => project.build()).toThrow('Command failed');
});

/** Copies build.js into a folder with one small project. */
async function smallProject() {
  const folder = await testFolder();
  mkdirSync(join(folder, 'node_modules'));
  mkdirSync(join(folder, 'app/src'), { recursive: true });
  copyFileSync(join(root, 'build.js'), join(folder, 'build.js'));
  const files = {
    'package.json': { type: 'module' },
    'package-lock.json': {},
    'tsconfig.base.json': { compilerOptions: { module: 'nodenext', types: [] } },
    'tsconfig.build.json': { files: [], references: [{ path: 'app' }] },
    'app/tsconfig.json': {
      extends: '../tsconfig.base.json',
      compilerOptions: { composite: true, rootDir: 'src', outDir: 'dist', tsBuildInfoFile: 'dist/.tsbuildinfo' },
      include: ['src'],
    },
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
  const project = {
    source: join(folder, 'app/src/main.ts'),
    output: join(folder, 'app/dist'),
    compiler: join(folder, 'node_modules/typescript'),
    build: () => execFileSync(process.execPath, ['build.js', 'programs'], { cwd: folder, encoding: 'utf8' }),
  };
  symlinkSync(join(root, 'node_modules/typescript'), project.compiler);
  writeFileSync(project.source, 'export const whole = 1;');
  return project;
}
