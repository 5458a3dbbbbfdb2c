import { type Static, Type } from 'typebox';
import { nullable } from './text.ts';

const known = (description: string) => nullable(Type.String(), { description });

/** A service's entry in the catalog (questions.md 11.2). Missing values are null. */
export const CatalogItem = Type.Object({
  service: Type.String(),
  team: known('The team that owns it.'),
  owner: known('The person or group to contact.'),
  repository: known('The URL of its source repository.'),
  runbook: known('The URL of its runbook.'),
  tags: Type.Array(Type.String()),
});
export type CatalogItem = Static<typeof CatalogItem>;

/** A board view offered to everyone (questions.md 11.4). */
export const CatalogPreset = Type.Object({
  name: Type.String(),
  view: known('The view to open.'),
  query: known('The query string of the view.'),
});
export type CatalogPreset = Static<typeof CatalogPreset>;

export const Catalog = Type.Object({
  items: Type.Array(CatalogItem, { description: 'Every service in the log, sorted by code point.' }),
  presets: Type.Array(CatalogPreset),
});
export type Catalog = Static<typeof Catalog>;
