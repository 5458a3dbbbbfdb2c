import type { Environment } from '../context.ts';
import { type PipelineFacts, tools } from './tools.ts';

/** Every CI tool that env-ci knows sets one of these variables. If none is set, env-ci would run git. */
const marks = [
  ...['CI', 'APPVEYOR', 'BITRISE_IO', 'BUDDY_WORKSPACE_ID', 'CF_BUILD_ID', 'CF_PAGES', 'CIRRUS_CI'],
  ...['CODEBUILD_BUILD_ID', 'DISTELLI_APPNAME', 'JB_SPACE_EXECUTION_NUMBER', 'NETLIFY', 'NOW_GITHUB_DEPLOYMENT'],
  ...[
    'SAILCI',
    'SCREWDRIVER',
    'SCRUTINIZER',
    'SEMAPHORE',
    'SHIPPABLE',
    'TRAVIS',
    'VELA',
    'VERCEL',
    'WERCKER_MAIN_PIPELINE_STARTED',
  ],
  'bamboo_agentId',
];

/** The facts about the run from the CI environment variables; `undefined` outside CI. */
export async function pipelineFacts(env: Environment): Promise<PipelineFacts | undefined> {
  const own = tools.find(({ mark }) => env[mark]);
  if (own) return { tool: own.tool, prefix: own.prefix, ...own.facts(env) };
  return marks.some((mark) => env[mark]) ? otherFacts(env) : undefined;
}

async function otherFacts(env: Environment): Promise<PipelineFacts | undefined> {
  const { default: envCi } = await import('env-ci');
  try {
    const { service, name = service, build, buildUrl, commit, branch, tag } = envCi({ env, cwd: process.cwd() });
    if (service === undefined || name === undefined) return undefined;
    return {
      tool: name,
      prefix: service.toLowerCase(),
      runId: build,
      run_url: buildUrl,
      run_number: build,
      ref: tag ?? branch,
      sha: commit,
    };
  } catch {
    // env-ci reads files named by variables, and throws if one isn't JSON.
    return undefined;
  }
}
