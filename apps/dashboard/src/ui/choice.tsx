import { plain } from '@shiplog/text';

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly names: readonly string[];
  /** The label of the choice "all". If unset, the user must choose a name. */
  readonly all?: string;
  /** The display text for a name; defaults to the name itself. */
  readonly titleOf?: (name: string) => string;
  readonly onChoose: (name: string | undefined) => void;
}

export function Choice({ label, value, names, all, titleOf = (name) => name, onChoose }: ChoiceProps) {
  const known = value === undefined || names.includes(value) ? names : [value, ...names];
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(currentTarget.value || undefined)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {known.map((name) => (
        <option key={name} value={name} selected={name === value}>
          {plain(titleOf(name))}
        </option>
      ))}
    </select>
  );
}
