import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/**
 * Puts shiplog-post.sh into the files of the tools that can load no second file: `npm run integrations`. A test holds
 * the files against the script.
 */
const script = read('shiplog-post.sh');

/** The files that contain the script, with all that they contain, by their paths in this folder. */
export function embedded() {
  /** @type {Map<string, string>} */
  const files = new Map([
    ['jenkins/resources/shiplog-post.sh', script],
    ['bitbucket/shiplog-post.sh', script],
  ]);
  for (const path of ['gitlab/templates/shiplog.yml', 'azure/shiplog-post.yml', 'circleci/orb.yml']) {
    files.set(path, withScript(read(path)));
  }
  return files;
}

/** The text with the script between the marks, indented as these are. */
function withScript(/** @type {string} */ text) {
  return text.replace(
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
