/** The text of this many rows with long addresses, not in order of time, piece by piece. */
export function* manyRows(count: number, addressLength: number): Generator<string> {
  const from = Date.now() - count * 1000;
  for (let n = 0; n < count; n += 1) {
    const row = {
      ...{ deployment_id: `d-${n >> 1}`, service: `service-${n % 50}`, environment: ['dev', 'staging', 'prod'][n % 3] },
      status: n % 2 === 0 ? 'in-progress' : 'success',
      happened_at: new Date(from + ((n * 7919) % count) * 1000).toISOString(),
      run_url: `https://ci.example.com/runs/${n}/${'x'.repeat(addressLength)}`,
    };
    yield `${JSON.stringify(row)}\n`;
  }
}
