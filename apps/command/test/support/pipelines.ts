/** The variables of a run from each tool's documentation, and the resulting fields. */
export interface Pipeline {
  readonly env: Readonly<Record<string, string>>;
  /** The fields that are filled in for an event of the service `api` in `prod`. */
  readonly filled: Readonly<Record<string, string>>;
}

const sha = '9f1c2ab5d0c14b6b8fd6f14dbf2c2e6a3b1c0d9e';

export const pipelines: Readonly<Record<string, Pipeline>> = {
  // docs.github.com/actions/reference/workflows-and-actions/variables
  'GitHub Actions': {
    env: {
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'alice', GITHUB_REF: 'refs/heads/main' },
      ...{ GITHUB_REPOSITORY: 'acme/shop', GITHUB_RUN_ATTEMPT: '2', GITHUB_RUN_ID: '1658821493' },
      ...{ GITHUB_RUN_NUMBER: '3', GITHUB_SERVER_URL: 'https://github.com', GITHUB_SHA: sha },
      GITHUB_TRIGGERING_ACTOR: 'bob',
    },
    filled: {
      deployment_id: 'gha-1658821493-2-api-prod',
      ...{ run_url: 'https://github.com/acme/shop/actions/runs/1658821493', run_number: '3', actor: 'bob' },
      ...{ ref: 'refs/heads/main', sha },
    },
  },
  // docs.gitlab.com/ci/variables/predefined_variables
  'GitLab CI': {
    env: {
      ...{ CI: 'true', GITLAB_CI: 'true', CI_COMMIT_REF_NAME: 'main', CI_COMMIT_SHA: sha, CI_PIPELINE_ID: '9001' },
      ...{ CI_PIPELINE_IID: '12', CI_PIPELINE_URL: 'https://gitlab.com/acme/shop/-/pipelines/9001' },
      GITLAB_USER_LOGIN: 'alice',
    },
    filled: {
      ...{ deployment_id: 'gitlab-9001-1-api-prod', run_url: 'https://gitlab.com/acme/shop/-/pipelines/9001' },
      ...{ run_number: '12', actor: 'alice', ref: 'main', sha },
    },
  },
  // <jenkins>/env-vars.html, and the plugins git and build-user-vars
  Jenkins: {
    env: {
      ...{ JENKINS_URL: 'https://ci.acme.org/', BUILD_NUMBER: '153', BUILD_TAG: 'jenkins-shop-main-153' },
      ...{ BUILD_URL: 'https://ci.acme.org/job/shop/job/main/153/', BUILD_USER_ID: 'alice', GIT_BRANCH: 'origin/main' },
      ...{ GIT_COMMIT: sha, JOB_NAME: 'shop/main' },
    },
    filled: {
      ...{ deployment_id: 'jenkins-shop/main#153-1-api-prod', run_url: 'https://ci.acme.org/job/shop/job/main/153/' },
      ...{ run_number: '153', actor: 'alice', ref: 'origin/main', sha },
    },
  },
  // learn.microsoft.com/azure/devops/pipelines/build/variables
  'Azure Pipelines': {
    env: {
      ...{ TF_BUILD: 'True', BUILD_BUILDID: '4711', BUILD_BUILDNUMBER: '20260504.1', BUILD_REQUESTEDFOR: 'Alice Doe' },
      ...{ BUILD_SOURCEBRANCH: 'refs/heads/main', BUILD_SOURCEVERSION: sha },
      ...{ SYSTEM_COLLECTIONURI: 'https://dev.azure.com/acme/', SYSTEM_STAGEATTEMPT: '3' },
      SYSTEM_TEAMPROJECT: 'Web Shop',
    },
    filled: {
      deployment_id: 'azdo-4711-3-api-prod',
      ...{ run_url: 'https://dev.azure.com/acme/Web%20Shop/_build/results?buildId=4711', run_number: '20260504.1' },
      ...{ actor: 'Alice Doe', ref: 'refs/heads/main', sha },
    },
  },
  // circleci.com/docs/reference/variables
  CircleCI: {
    env: {
      ...{ CI: 'true', CIRCLECI: 'true', CIRCLE_BRANCH: 'main', CIRCLE_BUILD_NUM: '88' },
      ...{ CIRCLE_BUILD_URL: 'https://circleci.com/gh/acme/shop/88', CIRCLE_SHA1: sha, CIRCLE_USERNAME: 'alice' },
      CIRCLE_WORKFLOW_ID: '7b1c5b4e-0f4f-4c41-9a8f-1f0e2d3c4b5a',
    },
    filled: {
      deployment_id: 'circleci-7b1c5b4e-0f4f-4c41-9a8f-1f0e2d3c4b5a-1-api-prod',
      ...{ run_url: 'https://circleci.com/gh/acme/shop/88', run_number: '88', actor: 'alice', ref: 'main', sha },
    },
  },
  // support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets
  'Bitbucket Pipelines': {
    env: {
      ...{ CI: 'true', BITBUCKET_BUILD_NUMBER: '41', BITBUCKET_COMMIT: sha },
      ...{ BITBUCKET_GIT_HTTP_ORIGIN: 'https://bitbucket.org/acme/shop', BITBUCKET_REPO_FULL_NAME: 'acme/shop' },
      ...{ BITBUCKET_STEP_TRIGGERER_UUID: '{c0ffee00-0000-4000-8000-000000000000}', BITBUCKET_TAG: 'v1.4.2' },
    },
    filled: {
      deployment_id: 'bitbucket-acme/shop#41-1-api-prod',
      ...{ run_url: 'https://bitbucket.org/acme/shop/pipelines/results/41', run_number: '41' },
      ...{ actor: '{c0ffee00-0000-4000-8000-000000000000}', ref: 'v1.4.2', sha },
    },
  },
  // buildkite.com/docs/pipelines/configure/environment-variables
  Buildkite: {
    env: {
      ...{ CI: 'true', BUILDKITE: 'true', BUILDKITE_BRANCH: 'main', BUILDKITE_BUILD_CREATOR: 'Alice Doe' },
      ...{ BUILDKITE_BUILD_ID: '4735ba57-80d0-46e2-8fa0-b28223a86586', BUILDKITE_BUILD_NUMBER: '1514' },
      ...{ BUILDKITE_BUILD_URL: 'https://buildkite.com/acme/shop/builds/1514', BUILDKITE_COMMIT: sha },
      ...{ BUILDKITE_RETRY_COUNT: '1', BUILDKITE_TAG: '' },
    },
    filled: {
      deployment_id: 'buildkite-4735ba57-80d0-46e2-8fa0-b28223a86586-2-api-prod',
      ...{ run_url: 'https://buildkite.com/acme/shop/builds/1514', run_number: '1514', actor: 'Alice Doe' },
      ...{ ref: 'main', sha },
    },
  },
  // jetbrains.com/help/teamcity/predefined-build-parameters.html
  TeamCity: {
    env: {
      ...{ TEAMCITY_VERSION: '2025.11 (build 197242)', TEAMCITY_PROJECT_NAME: 'Shop' },
      ...{ TEAMCITY_BUILDCONF_NAME: 'Deploy', BUILD_NUMBER: '77', BUILD_VCS_NUMBER: sha },
      BUILD_URL: 'https://teamcity.acme.org/build/5050',
    },
    filled: {
      ...{ deployment_id: 'teamcity-Shop/Deploy#77-1-api-prod', run_url: 'https://teamcity.acme.org/build/5050' },
      ...{ run_number: '77', sha },
    },
  },
  // docs.drone.io/pipeline/environment/reference
  Drone: {
    env: {
      ...{ CI: 'true', DRONE: 'true', DRONE_BUILD_LINK: 'https://drone.acme.org/acme/shop/42' },
      ...{ DRONE_BUILD_NUMBER: '42', DRONE_BUILD_TRIGGER: '@hook', DRONE_COMMIT_AUTHOR: 'alice' },
      ...{ DRONE_COMMIT_REF: 'refs/heads/main', DRONE_COMMIT_SHA: sha, DRONE_REPO: 'acme/shop' },
    },
    filled: {
      ...{ deployment_id: 'drone-acme/shop#42-1-api-prod', run_url: 'https://drone.acme.org/acme/shop/42' },
      ...{ run_number: '42', actor: 'alice', ref: 'refs/heads/main', sha },
    },
  },
  // docs.semaphore.io; the facts come from env-ci, as for all other tools
  Semaphore: {
    env: {
      ...{ CI: 'true', SEMAPHORE: 'true', SEMAPHORE_GIT_SHA: sha, SEMAPHORE_GIT_BRANCH: 'main' },
      ...{ SEMAPHORE_GIT_DIR: '/home/semaphore/shop', SEMAPHORE_WORKFLOW_ID: '65c398bb-57ab-4459-90b5-1056a7b1a0d4' },
    },
    filled: { ref: 'main', sha },
  },
};
