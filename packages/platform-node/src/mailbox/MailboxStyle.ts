/** The look of the dev mailbox, served as `/dev/mailbox.css`. Text and controls keep WCAG AA contrast in both schemes. */
export const mailboxStyle = `:root {
  color-scheme: light dark;
  --page: #ffffff;
  --raised: #f5f6f8;
  --text: #1b1d21;
  --quiet: #555b65;
  --line: #d8dbe0;
  --control: #767c86;
  --accent: #0b57d0;
  --on-accent: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #15171b;
    --raised: #1f2228;
    --text: #e8eaed;
    --quiet: #a9afb9;
    --line: #363b44;
    --control: #8a919d;
    --accent: #8ab4f8;
    --on-accent: #10243f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--page);
  color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
html { scroll-padding-top: 4rem; }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: 1rem; padding-bottom: 1rem; font-weight: 600; }
header a { display: inline-flex; gap: 0.625rem; align-items: center; min-height: 2.75rem; color: inherit; text-decoration: none; }
.mark { width: 1.375rem; height: 1rem; border: 2px solid var(--accent); border-radius: 0.1875rem; background:
  linear-gradient(to bottom left, transparent 42%, var(--accent) 42% 58%, transparent 58%) left / 51% 65% no-repeat,
  linear-gradient(to bottom right, transparent 42%, var(--accent) 42% 58%, transparent 58%) right / 51% 65% no-repeat; }
.back a { display: inline-block; padding: 0.625rem 0; }
main { padding-bottom: 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0 1rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 0.5rem; }
p { margin: 0.75rem 0; }
a { color: var(--accent); }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 2px; }

label { display: block; margin-bottom: 0.25rem; color: var(--quiet); }
.row { display: flex; gap: 0.5rem; }
input { flex: 1; min-width: 0; border: 1px solid var(--control); background: var(--page); color: inherit; }
input, button { min-height: 2.75rem; padding: 0.5rem 0.875rem; border-radius: 0.375rem; font: inherit; }
button { border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; }
summary { width: fit-content; padding: 0.625rem 0; color: var(--accent); text-decoration: underline; cursor: pointer; }

.mails { list-style: none; margin: 1rem 0; padding: 0; border-top: 1px solid var(--line); }
.mails li {
  position: relative;
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 0 1rem;
  padding: 0.75rem 0.5rem;
  border-bottom: 1px solid var(--line);
}
.mails li:hover { background: var(--raised); }
.subject { font-weight: 600; text-decoration: none; }
.subject::after { content: ""; position: absolute; inset: 0; }
.subject:hover { text-decoration: underline; }
.people { grid-column: 1; color: var(--quiet); }
.facts { grid-column: 2; grid-row: 1; color: var(--quiet); white-space: nowrap; }
.pages { display: flex; gap: 1rem; align-items: center; }
.pages a { padding: 0.625rem 0; }
.clear { margin-top: 2rem; }

.envelope { margin: 0; padding: 0.75rem 1rem; border-radius: 0.5rem; background: var(--raised); }
.envelope div { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 1rem; padding: 0.125rem 0; }
dt { color: var(--quiet); }
dd { margin: 0; }
.parts {
  position: sticky;
  z-index: 1;
  top: 0;
  margin: 1.25rem 0 0;
  border-bottom: 1px solid var(--line);
  background: var(--page);
}
.parts ul { display: flex; gap: 0 1.25rem; overflow-x: auto; padding: 0; list-style: none; }
.parts a { display: block; padding: 0.625rem 0; white-space: nowrap; }
.widths { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0 0 0.5rem; padding: 0; border: 0; }
.widths legend { float: left; padding: 0.625rem 1.25rem 0.625rem 0; color: var(--quiet); }
.widths label { display: inline-flex; gap: 0.5rem; align-items: center; min-height: 2.75rem; margin: 0; color: inherit; cursor: pointer; }
.widths input { flex: none; width: 1.125rem; min-height: 0; height: 1.125rem; margin: 0; accent-color: var(--accent); }
.screen { padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--raised); }
.widths:has(.tablet:checked) + .screen .preview { max-width: 48rem; }
.widths:has(.phone:checked) + .screen .preview { max-width: 23.4375rem; height: 41.6875rem; }
.preview {
  display: block;
  width: 100%;
  height: 32rem;
  margin: 0 auto;
  border: 1px solid var(--line);
  border-radius: 0.375rem;
  background: #ffffff;
  color-scheme: light;
}
.scrolling { max-height: 32rem; overflow: auto; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--raised); }
pre { margin: 0; padding: 0.75rem 1rem; white-space: pre-wrap; }
pre, .headers { font-family: ui-monospace, monospace; font-size: 0.875rem; }
.headers { margin: 0; }
.headers div { display: grid; grid-template-columns: 14rem minmax(0, 1fr); gap: 0 1rem; padding: 0.375rem 1rem; }
.headers div + div { border-top: 1px solid var(--line); }
ul { margin: 0; padding-left: 1.25rem; }
.links li { padding: 0.25rem 0; }

@media (max-width: 40rem) {
  .widths { display: none; }
  .screen { margin: 0 -1rem; padding: 0.5rem 0; border-width: 1px 0; border-radius: 0; }
  .mails li { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-column: 1; grid-row: auto; white-space: normal; }
  .envelope div, .headers div { grid-template-columns: minmax(0, 1fr); }
  .envelope div { padding: 0.25rem 0; }
}
@media (forced-colors: active) {
  .scrolling, .envelope { border: 1px solid; }
}
`
