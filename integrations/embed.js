import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Copies shiplog-post.sh into the integrations that can't load a second file: `npm run integrations`. A test compares
 * the copies with the script.
 */
const script = read('shiplog-post.sh');

const scriptMark = '# Generated from integrations/shiplog-post.sh by `npm run integrations`; do not edit.\n';
const templateMark =
  '# Partly generated: `npm run integrations` copies shiplog-post.sh between the marks; edit that script.\n';

/** The complete contents of the files that contain the script, by path in this folder. */
export function embedded() {
  /** @type {Map<string, string>} */
  const files = new Map([
    ['jenkins/resources/shiplog-post.sh', marked(script)],
    ['bitbucket/shiplog-post.sh', marked(script)],
  ]);
  for (const path of ['gitlab/templates/shiplog.yml', 'azure/shiplog-post.yml', 'circleci/orb.yml']) {
    files.set(path, withScript(read(path)));
  }
  return files;
}

/** Inserts the mark of a generated file after the first line of the script. */
function marked(/** @type {string} */ text) {
  return text.replace('\n', `\n${scriptMark}`);
}

/** The text, with the script between the marks at their indentation. */
function withScript(/** @type {string} */ text) {
  const template = text.startsWith(templateMark) ? text : templateMark + text;
  return template.replace(
    /^( *)(# begin of shiplog-post\.sh\n)[\s\S]*?^ *(# end of shiplog-post\.sh)$/gm,
    (_, indent, begin, end) => `${indent}${begin}${indented(indent)}${indent}${end}`,
  );
}

function indented(/** @type {string} */ indent) {
  return script.replace(/^(?=.)/gm, indent);
}

function read(/** @type {string} */ path) {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const [path, text] of embedded()) writeFileSync(new URL(path, import.meta.url), text);
}
