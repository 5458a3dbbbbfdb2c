import { plain } from '@shiplog/text';

interface ChoiceProps<Name extends string> {
  readonly label: string;
  readonly value: Name | undefined;
  readonly names: readonly Name[];
  /** The label of the choice "all". If unset, the user must choose a name. */
  readonly all?: string;
  /** The display text for a name; defaults to the name itself. */
  readonly titleOf?: (name: Name) => string;
  readonly onChoose: (name: Name | undefined) => void;
  readonly className?: string;
}

export function Choice<Name extends string>(props: ChoiceProps<Name>) {
  const { label, value, names, all, titleOf = (name) => name, onChoose, className } = props;
  const known = value === undefined || names.includes(value) ? names : [value, ...names];
  return (
    <select
      class={className}
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(known.find((name) => name === currentTarget.value))}
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
