import { plain } from '@shiplog/text';

interface HealthyNamesProps {
  readonly rows: readonly { readonly service: string }[];
  /** The beginning that the group of the services shows. */
  readonly prefix: string;
}

/** "9 healthy", and the names of these services. */
export function HealthyNames({ rows, prefix }: HealthyNamesProps) {
  return (
    <span class="cut">
      <b>{rows.length} healthy</b> {rows.map(({ service }) => plain(service.slice(prefix.length))).join(', ')}
    </span>
  );
}
