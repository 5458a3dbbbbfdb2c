import { type Address, home } from '../address.ts';

type Narrowed = Partial<Pick<Address, 'actor' | 'deployment'>>;

/** The feed with nothing but what is named: no other filter narrows it. */
export function feedOf(narrowed: Narrowed): Partial<Address> {
  const { filter, status, actor, deployment, since, until } = home;
  return { view: 'feed', slot: undefined, filter, status, actor, deployment, since, until, ...narrowed };
}
