/**
 * Runs a block as a deployment: posts `in-progress` before it and the outcome after it.
 *
 *   shiplog(service: 'payments-api', environment: 'production', version: env.TAG_NAME) { sh './deploy.sh' }
 *
 * The map has url, service, environment, version (at most 50 characters), deploymentId, parents (a list), timeout (seconds)
 * and status. Without a block, it posts one event with the given status. The key is the credential `shiplog-api-key`, or
 * the one that `credentialsId` names. A missing credential fails the build; a failed post does so only if bestEffort is
 * false.
 */
def call(Map event, Closure body = null) {
  if (body == null) {
    post(event, event.status)
    return
  }
  post(event, 'in-progress')
  try {
    body()
  } catch (org.jenkinsci.plugins.workflow.steps.FlowInterruptedException stopped) {
    post(event, 'cancelled')
    throw stopped
  } catch (Exception failed) {
    post(event, 'failure')
    throw failed
  }
  post(event, 'success')
}

private void post(Map event, String status) {
  def settings = [
    "SHIPLOG_SERVICE=${event.service ?: ''}",
    "SHIPLOG_ENVIRONMENT=${event.environment ?: ''}",
    "SHIPLOG_STATUS=${status ?: ''}",
    "SHIPLOG_VERSION=${event.version ?: ''}",
    "SHIPLOG_DEPLOYMENT_ID=${event.deploymentId ?: ''}",
    "SHIPLOG_PARENTS=${(event.parents ?: []).join('\n')}",
    "SHIPLOG_TIMEOUT=${event.timeout ?: ''}",
    "SHIPLOG_BEST_EFFORT=${event.bestEffort != false}",
  ]
  if (event.url) settings << "SHIPLOG_URL=${event.url}"
  withCredentials([string(credentialsId: event.credentialsId ?: 'shiplog-api-key', variable: 'SHIPLOG_API_KEY')]) {
    withEnv(settings.collect { it.toString() }) {
      sh(label: "Shiplog: ${status}", script: libraryResource('shiplog-post.sh'))
    }
  }
}
