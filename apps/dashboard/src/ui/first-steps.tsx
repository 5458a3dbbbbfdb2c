import { developmentApiKey, endpoints, keyHeaders } from '@shiplog/contract';
import { useApp } from './app.ts';
import { CopyButton } from './copy-button.tsx';
import { Empty } from './empty.tsx';

/** Shown for an empty log: the command that posts a first event, complete if the service has its default key. */
export function FirstSteps() {
  const { baseUrl, now } = useApp().connection;
  const command = [
    `curl -X POST ${baseUrl}${endpoints.appendDeployment.path} -H "${keyHeaders.api}: \${API_KEY:-${developmentApiKey}}" -d '{`,
    '  "deployment_id": "first-1", "service": "payments-api", "environment": "dev",',
    `  "version": "1.0.0", "status": "success", "happened_at": "${new Date(now.value).toISOString()}"`,
    "}'",
  ].join('\n');
  return (
    <Empty title="No deployment has been reported yet">
      <p>
        Post a first event from a pipeline or with this command: it appears here at once. If the service was started
        with an API key, set <code>API_KEY</code> in your shell first.
      </p>
      <pre>{command}</pre>
      <p>
        <CopyButton text={command} what="Copy the command" /> <a href="docs">How the API works</a>
      </p>
    </Empty>
  );
}
