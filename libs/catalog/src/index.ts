export * from './catalog.ts';
export { type CatalogContent, parseCatalog } from './catalog-text.ts';
