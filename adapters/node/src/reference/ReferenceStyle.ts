/** The look of the API reference, served as `/docs.css`. Text keeps WCAG AA contrast in both schemes. */
export const referenceStyle = `:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f5f6f8; --text: #1b1d21; --quiet: #555b65; --line: #d8dbe0; --accent: #0b57d0;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #15171b; --raised: #1f2228; --text: #e8eaed; --quiet: #a9afb9; --line: #363b44; --accent: #8ab4f8; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  display: grid;
  grid-template-columns: 17rem minmax(0, 1fr);
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; padding: 0.5rem 1rem; background: var(--page); }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1rem; border-right: 1px solid var(--line); font-size: 0.9375rem; }
nav h2 { margin: 1.25rem 0 0.25rem; font-size: 0.9375rem; color: var(--quiet); }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: block; padding: 0.25rem 0; color: inherit; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
.title { margin: 0; font-weight: 600; }
.title span, .quiet, .kind { color: var(--quiet); font-weight: 400; }
main { max-width: 54rem; padding: 0 2rem 4rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 1.5rem 0 1rem; }
main h2 { margin: 3rem 0 0.5rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); font-size: 1.375rem; }
h3 { margin: 2.5rem 0 0.25rem; font-size: 1.125rem; }
h3 a { color: inherit; text-decoration: none; }
h4 { margin: 1.25rem 0 0.25rem; font-size: 1rem; }
p { margin: 0.5rem 0; }
code, .method { font-family: ui-monospace, monospace; font-size: 0.875em; }
.method { display: inline-block; min-width: 3.75rem; color: var(--quiet); }
.call { padding: 0.5rem 1rem; border-radius: 0.375rem; background: var(--raised); }
.fields { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }
.fields li { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.fields .fields { margin: 0.5rem 0 0 1rem; }
.fields .fields li:last-child { border-bottom: 0; }
.fields p { margin: 0.125rem 0; }
.name { font-weight: 600; }
strong { font-size: 0.875rem; }
dl { margin: 0; display: grid; grid-template-columns: 4rem minmax(0, 1fr); }
dt { font-family: ui-monospace, monospace; font-size: 0.875rem; padding: 0.25rem 0; }
dd { margin: 0; }
dd p { margin: 0.125rem 0; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 40vh; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 0 1rem 3rem; }
}
`
