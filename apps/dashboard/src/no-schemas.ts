/**
 * Stands for the schema library in what browsers load (vite.config.ts): the service has judged what it sends, so the
 * dashboard needs the types of the contract's shapes, its paths and its words, and no schema. It halves the script.
 */
export const Type: Readonly<Record<string, () => object>> = new Proxy({}, { get: () => () => ({}) });
