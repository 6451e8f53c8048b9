/** The look of the API reference, served as `/docs.css`. Text keeps WCAG AA contrast in both schemes. */
export const referenceStyle = `:root {
  color-scheme: light dark;
  --page: #ffffff; --raised: #f6f7f9; --text: #1b1d21; --quiet: #5a606b; --line: #e3e5ea; --accent: #0b57d0;
  --code: #f6f7f9; --code-text: #24272d; --string: #0a6640; --mark: #e8f0fe;
  --get: #0b57d0; --post: #0a6640; --put: #8a4b00; --delete: #b3261e;
  --bar: 3.5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131519; --raised: #1c1f25; --text: #e6e8ec; --quiet: #a3a9b4; --line: #2d323b; --accent: #8ab4f8;
    --code: #1a1d23; --code-text: #dfe2e8; --string: #7fd6a6; --mark: #1d2a41;
    --get: #8ab4f8; --post: #7fd6a6; --put: #f0b56a; --delete: #f5a29b;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 1rem); -webkit-text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 0.9375rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; z-index: 9; padding: 0.5rem 1rem; background: var(--page); }
h1, h2, h3 { line-height: 1.3; font-weight: 600; }
h1 { margin: 0 0 0.75rem; font-size: 1.75rem; letter-spacing: -0.01em; }
h2 { margin: 2.5rem 0 0.75rem; font-size: 1.25rem; letter-spacing: -0.005em; }
h2 a { color: inherit; text-decoration: none; }
h2 a:hover { text-decoration: underline; }
h3 { margin: 2rem 0 0.5rem; font-size: 0.9375rem; }
p { margin: 0.5rem 0; }
code, pre, .method, kbd { font-family: ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace; font-size: 0.8125rem; }
p code, td code, li p code { padding: 0.1em 0.3em; border-radius: 4px; background: var(--raised); }
pre { margin: 0; white-space: pre-wrap; line-height: 1.55; tab-size: 2; }
.quiet, .kind { color: var(--quiet); }
.kind { font-size: 0.8125rem; }
.s { color: var(--string); }
.status { font-variant-numeric: tabular-nums; }

header {
  position: sticky; top: 0; z-index: 5;
  display: flex; align-items: center; gap: 1rem;
  height: var(--bar); padding: 0 1.5rem;
  border-bottom: 1px solid var(--line);
  background: var(--page);
}
.title { color: inherit; font-weight: 600; text-decoration: none; white-space: nowrap; }
.title span { margin-left: 0.25rem; color: var(--quiet); font-weight: 400; }
.menu, .close { display: none; }
.search { position: relative; flex: 0 1 24rem; margin-left: auto; }
.search input {
  width: 100%; height: 2.25rem; padding: 0 2.25rem 0 0.75rem;
  border: 1px solid var(--line); border-radius: 8px;
  background: var(--raised); color: inherit; font: inherit;
}
.search input::placeholder { color: var(--quiet); opacity: 1; }
.search input::-webkit-search-cancel-button { display: none; }
.search kbd {
  position: absolute; right: 0.625rem; top: 0.5rem;
  padding: 0 0.375rem; border: 1px solid var(--line); border-radius: 4px;
  color: var(--quiet); line-height: 1.125rem;
}
.results {
  position: absolute; right: 0; top: 2.625rem; width: min(32rem, calc(100vw - 2rem));
  max-height: min(32rem, calc(100vh - 5rem)); overflow-y: auto; padding: 0.5rem;
  border: 1px solid var(--line); border-radius: 10px;
  background: var(--page); box-shadow: 0 8px 30px rgb(0 0 0 / 0.18);
}
.results p { margin: 0; padding: 0.25rem 0.625rem; color: var(--quiet); font-size: 0.8125rem; }
.results ul { list-style: none; margin: 0; padding: 0; }
.results a { display: block; padding: 0.5rem 0.625rem; border-radius: 6px; color: inherit; text-decoration: none; }
.results a span { display: block; }
.results a:hover, .results a:focus { background: var(--mark); }

body { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
header { grid-column: 1 / -1; }
nav {
  position: sticky; top: var(--bar); height: calc(100vh - var(--bar)); overflow-y: auto;
  padding: 1.25rem 0.75rem 2rem 1rem; border-right: 1px solid var(--line); font-size: 0.875rem;
}
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: 0.25rem 0.5rem; border-radius: 6px; color: var(--quiet); text-decoration: none; line-height: 1.4; }
nav a:hover { color: var(--text); background: var(--raised); }
nav a[aria-current] { color: var(--text); font-weight: 600; }
nav ul ul { margin: 0.125rem 0 0.5rem 0.5rem; border-left: 1px solid var(--line); }
nav ul ul a { margin-left: -1px; border-left: 2px solid transparent; border-radius: 0; padding-left: 0.75rem; }
nav ul ul a.read { border-left-color: var(--accent); color: var(--text); }

main { padding: 2.5rem 2.5rem 6rem; max-width: 88rem; }
.intro { max-width: 46rem; }
.intro.wide { max-width: 64rem; }
.intro > pre, .side pre { padding: 0.75rem 1rem; border-radius: 0 0 8px 8px; background: var(--code); color: var(--code-text); }
.intro > pre { border-radius: 8px; }
.groups { list-style: none; margin: 1rem 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; }
.groups li { padding: 1rem; border: 1px solid var(--line); border-radius: 10px; }
.groups a { font-weight: 600; }
.groups p { margin: 0.25rem 0 0; }
.calls { list-style: none; margin: 1.25rem 0 0; padding: 0.75rem 1rem; border-radius: 8px; background: var(--raised); }
.calls a { display: flex; gap: 0.5rem; padding: 0.125rem 0; color: inherit; text-decoration: none; }
.calls a:hover code { text-decoration: underline; }
.names { columns: 15rem; list-style: none; margin: 1rem 0; padding: 0; font-size: 0.875rem; }

article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); column-gap: 3rem; padding: 2.5rem 0; border-top: 1px solid var(--line); }
.intro + article { margin-top: 2.5rem; }
.about { min-width: 0; max-width: 46rem; }
.about > h2 { margin-top: 0; }
.method { flex: none; min-width: 3.75rem; font-weight: 600; }
.method.get { color: var(--get); } .method.post { color: var(--post); }
.method.put, .method.patch { color: var(--put); } .method.delete { color: var(--delete); }
.call .method { min-width: 0; margin-right: 0.25rem; }
.call code { padding: 0; background: none; }
.media { margin: 0.25rem 0; }
.fields { list-style: none; margin: 0.5rem 0 0; padding: 0; border-top: 1px solid var(--line); }
.fields > li { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
.fields p { margin: 0.125rem 0 0; color: var(--quiet); font-size: 0.875rem; }
.name { font-weight: 600; }
.fields strong { color: var(--put); font-size: 0.75rem; font-weight: 500; }
details { margin-top: 0.5rem; }
summary { width: fit-content; padding: 0.125rem 0; color: var(--quiet); font-size: 0.8125rem; cursor: pointer; }
summary:hover { color: var(--text); }
.fields details { padding: 0 0.75rem; border: 1px solid var(--line); border-radius: 8px; width: fit-content; max-width: 100%; }
.fields details[open] { width: auto; padding-bottom: 0.25rem; }
.fields .fields { border-top: 1px solid var(--line); }
.fields .fields > li:last-child { border-bottom: 0; }
.success { margin-top: 0.5rem; }
.success strong { margin-right: 0.25rem; }
dl { margin: 0.5rem 0; display: grid; grid-template-columns: 3rem minmax(0, 1fr); row-gap: 0.25rem; }
dt { color: var(--quiet); font-variant-numeric: tabular-nums; }
dd { margin: 0; }
dd p, dd ul { margin: 0; }
.list { padding-left: 1.125rem; }
table { border-collapse: collapse; margin: 0.75rem 0; font-size: 0.875rem; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--quiet); font-weight: 500; }
th, td { overflow-wrap: break-word; }
td a, dd a, .list a { text-decoration: none; }
td a:hover, dd a:hover, .list a:hover { text-decoration: underline; }
td:target { background: var(--mark); }

.side { position: sticky; top: calc(var(--bar) + 1.5rem); align-self: start; max-height: calc(100vh - var(--bar) - 3rem); overflow-y: auto; border-radius: 8px; }
.samples { position: relative; margin: 0; padding: 0; border: 0; min-width: 0; }
.samples legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.choice, .legend { display: flex; gap: 0.25rem; align-items: center; margin: 0; min-height: 2.5rem; padding: 0 5rem 0 0.5rem; border-radius: 8px 8px 0 0; border-bottom: 1px solid var(--line); background: var(--code); font-size: 0.8125rem; }
.choice input { position: absolute; opacity: 0; width: 1px; height: 1px; }
.choice label { padding: 0.25rem 0.5rem; border-radius: 6px; color: var(--quiet); cursor: pointer; }
.choice label:hover { color: var(--text); }
.choice input:checked + label { background: var(--page); color: var(--text); box-shadow: 0 0 0 1px var(--line); }
.choice input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 1px; }
.samples pre { display: none; }
.samples:has(input[value="curl"]:checked) pre.curl,
.samples:has(input[value="typescript"]:checked) pre.typescript,
.samples:has(input[value="cli"]:checked) pre.cli { display: block; }
.answer { position: relative; margin-top: 1rem; }
.legend { gap: 0.5rem; padding-left: 1rem; color: var(--quiet); }
.copy { position: absolute; right: 0.5rem; top: 0.4375rem; height: 1.625rem; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 6px; background: var(--page); color: var(--quiet); font: inherit; font-size: 0.75rem; cursor: pointer; }
.copy:hover { color: var(--text); }

@media (max-width: 80rem) {
  article { grid-template-columns: minmax(0, 1fr); row-gap: 1.5rem; }
  .side { position: static; max-height: none; max-width: 46rem; }
}
@media (max-width: 56rem) {
  body { display: block; }
  header { padding: 0 1rem; gap: 0.75rem; }
  .menu { display: block; order: 3; white-space: nowrap; padding: 0.5rem 0; font-size: 0.875rem; }
  .search { flex: 1 1 auto; margin-left: 0; min-width: 0; }
  nav { display: none; }
  nav:target { display: block; position: fixed; inset: 0; z-index: 9; height: auto; padding: 1rem 1.5rem 3rem; border: 0; background: var(--page); font-size: 1rem; }
  nav a { padding: 0.5rem; }
  .close { display: block; width: fit-content; margin-bottom: 0.5rem; color: var(--accent); text-decoration: underline; }
  main { padding: 1.5rem 1rem 4rem; }
  article { padding: 2rem 0; }
  table, thead, tbody, tr, th, td { display: block; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0.125rem 0; border: 0; }
}
@media (max-width: 30rem) {
  h1 { font-size: 1.5rem; }
  .title span, .search kbd { display: none; }
  .search input { padding-right: 0.75rem; }
}
@media print { header, nav, .copy, .choice { display: none; } body { display: block; } .side { position: static; max-height: none; } }
`
