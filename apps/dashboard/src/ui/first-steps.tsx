import { developmentApiKey, endpoints, keyHeaders } from '@shiplog/contract';
import { useApp } from './app.ts';
import { CopyButton } from './copy-button.tsx';
import { Empty } from './empty.tsx';

/** An empty log: the command that puts the first event into it, as it is where the service has its default key. */
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
        Let a pipeline post its first event; it shows up here at once. The command works as pasted on a service that was
        started without keys. For any other, set <code>API_KEY</code> in your shell first.
      </p>
      <pre>{command}</pre>
      <p>
        <CopyButton text={command} what="Copy the command" /> <a href="docs">How the API works</a>
      </p>
    </Empty>
  );
}
