/** The text of this many rows with long addresses, not in chronological order, a hundred at a time. */
export function* manyRows(count: number, addressLength: number): Generator<string> {
  const from = Date.now() - count * 1000;
  const rowOf = (n: number) => ({
    ...{ deployment_id: `d-${n >> 1}`, service: `service-${n % 50}`, environment: ['dev', 'staging', 'prod'][n % 3] },
    status: n % 2 === 0 ? 'in-progress' : 'success',
    happened_at: new Date(from + ((n * 7919) % count) * 1000).toISOString(),
    run_url: `https://ci.example.com/runs/${n}/${'x'.repeat(addressLength)}`,
  });
  for (let begin = 0; begin < count; begin += 100) {
    const numbers = Array.from({ length: Math.min(100, count - begin) }, (_, index) => begin + index);
    yield numbers.map((n) => `${JSON.stringify(rowOf(n))}\n`).join('');
  }
}
