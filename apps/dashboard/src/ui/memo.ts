import { Component, type ComponentType, createElement } from 'preact';

/** Wraps a component so that it renders again only when one of its properties changes. */
export function memo<Props extends object>(Inner: ComponentType<Props>): ComponentType<Props> {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]) as Set<keyof Props>;
      return [...names].some((name) => !Object.is(this.props[name], next[name]));
    }

    override render() {
      return createElement(Inner, this.props as Props);
    }
  };
}
