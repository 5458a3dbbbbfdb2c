/** The path at which every program serves the style sheet. */
export const stylePath = '/docs/style.css';

/** The style of this library's pages: the system's typeface, light and dark, readable on a phone. */
export const pageStyle = `
:root { --ink: #14181d; --soft: #58616d; --paper: #ffffff; --line: #dfe3e8; --tint: #f5f6f8; --accent: #1f5fd0; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebef; --soft: #a2abb7; --paper: #14171b; --line: #2c323a; --tint: #1c2026; --accent: #82aefb; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 14px/1.55 system-ui, sans-serif; }
header, main { max-width: 920px; margin: 0 auto; padding: 24px 20px 0; }
main { padding-bottom: 48px; }
main > section:first-child > h2 { margin-top: 0; }
h1 { font-size: 20px; margin: 0 0 8px; }
h2 { font-size: 20px; margin: 40px 0 12px; padding-top: 12px; border-top: 1px solid var(--line); }
h3 { font-size: 14px; margin: 28px 0 4px; }
p, li { max-width: 72ch; }
p code { overflow-wrap: anywhere; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 0; list-style: none; }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: ui-monospace, monospace; font-size: 12px; }
pre { background: var(--tint); border: 1px solid var(--line); border-radius: 8px; padding: 12px; overflow-x: auto; }
.method { display: inline-block; min-width: 44px; color: var(--soft); font-weight: 600; }
.kind { color: var(--soft); }
.table { overflow-x: auto; margin: 8px 0; }
table { border-collapse: collapse; width: 100%; }
th { text-align: left; font-size: 11px; color: var(--soft); font-weight: 600; white-space: nowrap; }
th, td { padding: 4px 12px 4px 0; border-bottom: 1px solid var(--line); vertical-align: top; min-width: 64px; }
td:nth-child(3) { min-width: 140px; }
td:last-child { min-width: 220px; overflow-wrap: break-word; }
summary { cursor: pointer; color: var(--soft); }
`;
