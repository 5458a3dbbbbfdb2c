import { useApp } from './app.ts';
import { CopyButton } from './copy-button.tsx';
import { Empty } from './empty.tsx';

/** An empty log: the command that puts the first event into it. */
export function FirstSteps() {
  const { baseUrl, now } = useApp().connection;
  const command = [
    `curl -X POST ${baseUrl}/api/deployments -H "X-Api-Key: $API_KEY" -d '{`,
    '  "deployment_id": "first-1", "service": "payments-api", "environment": "dev",',
    `  "version": "1.0.0", "status": "success", "happened_at": "${new Date(now.value).toISOString()}"`,
    "}'",
  ].join('\n');
  return (
    <Empty title="No deployment has been reported yet">
      <p>
        Let a pipeline post its first event; it shows up here at once. Set <code>API_KEY</code> in your shell first; a
        service that was started without keys takes the one that its README names.
      </p>
      <pre>{command}</pre>
      <p>
        <CopyButton text={command} what="Copy the command" /> <a href="docs">How the API works</a>
      </p>
    </Empty>
  );
}
