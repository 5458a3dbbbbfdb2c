import { fileURLToPath } from 'node:url';

/** The folder of what the panels share: style, and modules for the browser. */
export const sharedPanelFolder = fileURLToPath(new URL('../files/', import.meta.url));
