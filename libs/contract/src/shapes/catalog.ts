import { type Static, Type } from 'typebox';

const known = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

/** What is known of one service beside its events (questions.md 11.2); null where nothing is. */
export const CatalogItem = Type.Object({
  service: Type.String(),
  team: known('Whose it is.'),
  owner: known('Whom to ask.'),
  repository: known('Where its source is.'),
  runbook: known('What to do when it breaks.'),
  tags: Type.Array(Type.String()),
});
export type CatalogItem = Static<typeof CatalogItem>;

/** A view of the board that everyone is offered (questions.md 11.4). */
export const CatalogPreset = Type.Object({
  name: Type.String(),
  view: known('The view that it opens.'),
  query: known('What follows the view in the address.'),
});
export type CatalogPreset = Static<typeof CatalogPreset>;

export const Catalog = Type.Object({
  items: Type.Array(CatalogItem, { description: 'Every service of the log, by code point.' }),
  presets: Type.Array(CatalogPreset),
});
export type Catalog = Static<typeof Catalog>;
