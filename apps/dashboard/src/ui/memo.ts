import { Component, type ComponentType, createElement } from 'preact';

/** Wraps a component so that it renders again only when one of its properties changes. */
export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      return differ<Readonly<Props>>(this.props, next);
    }

    override render() {
      return createElement(Inner, this.props as Props);
    }
  };
}

/** Whether two records differ in a property. Runs for each line and cell of each frame, so it allocates nothing. */
export function differ<Properties extends object>(one: Properties, other: Properties): boolean {
  for (const name in one) if (!Object.is(one[name], other[name])) return true;
  for (const name in other) if (!Object.is(one[name], other[name])) return true;
  return false;
}
