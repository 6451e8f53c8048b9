/**
 * The look of the documentation, served as `/docs.css`. The colours are those of the console
 * (`packages/console/src/styles/tokens.css`); text keeps WCAG AA contrast in both schemes.
 */
export const style = `:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #121419);
  --raised: light-dark(#f6f7f9, #1a1d23);
  --sunken: light-dark(#eceef2, #0d0f13);
  --text: light-dark(#16181d, #e8eaee);
  --quiet: light-dark(#545b66, #a5acb8);
  --accent: light-dark(#0b57d0, #8ab4f8);
  --on-accent: light-dark(#ffffff, #0d1b33);
  --good: light-dark(#0b6b3a, #6fcf97);
  --warning: light-dark(#7a4f00, #f2c063);
  --bad: light-dark(#b3261e, #f5948d);
  --accent-soft: light-dark(#e8effc, #17233a);
  --edge: light-dark(#7b828e, #767e8b);
  --hairline: light-dark(#dfe2e8, #2c3139);
  --word: light-dark(#7c3aed, #c4a1ff);
  --font: "Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SFMono-Regular", "Cascadia Code", "Liberation Mono", Menlo, monospace;
  --bar: 56px;
}
:root[data-scheme="light"] { color-scheme: light; }
:root[data-scheme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 24px); -webkit-text-size-adjust: 100%; }
body {
  margin: 0; display: grid; grid-template-columns: 264px minmax(0, 1fr);
  background: var(--page); color: var(--text);
  font: 15px/1.65 var(--font); overflow-wrap: anywhere;
}
a { color: var(--accent); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 16px; top: 8px; z-index: 9; padding: 8px 16px; background: var(--page); }
h1, h2, h3 { line-height: 1.3; font-weight: 650; letter-spacing: -0.012em; }
h1 { margin: 0 0 12px; font-size: 32px; letter-spacing: -0.022em; }
h2 { margin: 48px 0 12px; font-size: 21px; }
h3 { margin: 32px 0 8px; font-size: 16px; }
h2 > a, h3 > a { color: inherit; text-decoration: none; }
h2 > a:hover, h3 > a:hover { text-decoration: underline; }
p { margin: 8px 0; }
code, pre, .method, kbd { font-family: var(--mono); font-size: 13px; }
p code, td code, li code, dd code { padding: 1px 5px; border-radius: 5px; background: var(--raised); border: 1px solid var(--hairline); font-size: 12.5px; }
a code { color: inherit; }
pre { margin: 0; line-height: 1.6; tab-size: 2; }
.quiet, .kind { color: var(--quiet); }
.kind { font-size: 13px; }
.kind code { border: 0; padding: 0; background: none; }
.lead { font-size: 18px; line-height: 1.55; color: var(--quiet); max-width: 46rem; }
.s { color: var(--good); } .c { color: var(--quiet); } .n { color: var(--warning); } .w { color: var(--word); } .k { color: var(--accent); }
.status { font-variant-numeric: tabular-nums; }

.top {
  position: sticky; top: 0; z-index: 5; grid-column: 1 / -1;
  display: flex; align-items: center; gap: 16px; height: var(--bar); padding: 0 24px;
  border-bottom: 1px solid var(--hairline); background: var(--page);
}
.title { color: inherit; font-weight: 650; text-decoration: none; white-space: nowrap; letter-spacing: -0.01em; }
.title span { margin-left: 4px; color: var(--quiet); font-weight: 400; }
.console { color: var(--text); font-size: 14px; text-decoration: none; }
.console:hover { text-decoration: underline; }
.menu, #contents .close { display: none; }
.search { position: relative; flex: 0 1 400px; margin-left: auto; }
.search input { width: 100%; height: 36px; padding: 0 36px 0 12px; border: 1px solid var(--edge); border-radius: 8px; background: var(--raised); color: inherit; font: inherit; font-size: 14px; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
.search input::-webkit-search-cancel-button { display: none; }
.search kbd { position: absolute; right: 10px; top: 8px; padding: 0 6px; border: 1px solid var(--hairline); border-radius: 4px; color: var(--quiet); line-height: 18px; }
.results { position: absolute; right: 0; top: 42px; width: min(36rem, calc(100vw - 32px)); max-height: min(32rem, calc(100vh - 80px)); overflow-y: auto; padding: 8px; border: 1px solid var(--hairline); border-radius: 12px; background: var(--page); box-shadow: 0 8px 24px light-dark(rgb(16 24 40 / 16%), rgb(0 0 0 / 56%)); }
.results p { margin: 0; padding: 4px 10px; color: var(--quiet); font-size: 13px; }
.results ul { list-style: none; margin: 0; padding: 0; }
.results a { display: block; padding: 8px 10px; border-radius: 6px; color: inherit; text-decoration: none; line-height: 1.45; }
.results a span { display: block; }
.results a:hover, .results a:focus { background: var(--accent-soft); }

#contents { position: sticky; top: var(--bar); height: calc(100vh - var(--bar)); overflow-y: auto; padding: 20px 12px 40px 16px; border-right: 1px solid var(--hairline); font-size: 14px; }
#contents ul { list-style: none; margin: 0; padding: 0; }
#contents a { display: block; padding: 4px 8px; border-radius: 6px; color: var(--quiet); text-decoration: none; line-height: 1.45; }
#contents a:hover { color: var(--text); background: var(--raised); }
#contents a[aria-current] { color: var(--accent); background: var(--accent-soft); font-weight: 550; }
#contents ul ul { margin: 4px 0 8px 12px; border-left: 1px solid var(--hairline); }
#contents ul ul a { margin-left: -1px; border-left: 2px solid transparent; border-radius: 0; padding-left: 12px; font-size: 13px; }
#contents ul ul a.read { border-left-color: var(--accent); color: var(--text); }
.part { margin: 20px 8px 6px; color: var(--text); font-size: 12px; font-weight: 650; letter-spacing: 0.04em; text-transform: uppercase; }
#contents .part:first-of-type { margin-top: 0; }

main { padding: 32px 40px 96px; max-width: 1240px; min-width: 0; }
main.with-list { display: grid; grid-template-columns: minmax(0, 1fr) 208px; column-gap: 56px; }
.page { min-width: 0; }
.tools { float: right; margin: 6px 0 0 16px; font-size: 13px; }
.tools a { color: var(--quiet); text-decoration: none; }
.tools a:hover { color: var(--text); text-decoration: underline; }
.guide { max-width: 46rem; }
.intro { max-width: 46rem; }
.intro.wide { max-width: 64rem; }
.intro.apart { padding-top: 24px; border-top: 1px solid var(--hairline); }
.intro.apart h2:first-child { margin-top: 8px; }
.here { position: sticky; top: calc(var(--bar) + 32px); align-self: start; font-size: 13px; }
.here p { margin: 0 0 8px; font-weight: 650; }
.here ul { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--hairline); }
.here a { display: block; margin-left: -1px; padding: 3px 0 3px 12px; border-left: 2px solid transparent; color: var(--quiet); text-decoration: none; line-height: 1.45; }
.here a:hover { color: var(--text); border-left-color: var(--edge); }
.cards { list-style: none; margin: 16px 0 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(216px, 1fr)); gap: 12px; }
.cards li { position: relative; padding: 14px 16px; border: 1px solid var(--hairline); border-radius: 10px; }
.cards li:hover { border-color: var(--edge); }
.cards a { color: var(--text); font-weight: 600; text-decoration: none; }
.cards a::after { content: ""; position: absolute; inset: 0; border-radius: 10px; }
.cards a:hover { color: var(--accent); }
.cards p { margin: 2px 0 0; color: var(--quiet); font-size: 13.5px; line-height: 1.5; }
.calls { list-style: none; margin: 16px 0 0; padding: 8px 0; border: 1px solid var(--hairline); border-radius: 10px; background: var(--raised); }
.calls li:target { background: var(--accent-soft); }
.calls a { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 8px; padding: 3px 16px; color: inherit; text-decoration: none; }
.calls code { padding: 0; border: 0; background: none; }
.calls a > span:last-child { margin-left: auto; color: var(--quiet); font-size: 13px; }
.calls a:hover code { text-decoration: underline; }
.names { columns: 14rem; list-style: none; margin: 16px 0; padding: 0; font-size: 14px; }
.names a { display: inline-block; min-height: 24px; }
.names code { padding: 0; border: 0; background: none; }
.next { display: flex; justify-content: space-between; gap: 16px; margin-top: 64px; padding-top: 20px; border-top: 1px solid var(--hairline); }
.next a { text-decoration: none; font-weight: 550; }
.next a span { display: block; color: var(--quiet); font-size: 13px; font-weight: 400; }
.next a[rel="next"] { text-align: right; }

article { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); column-gap: 48px; padding: 40px 0; border-top: 1px solid var(--hairline); }
.intro + article { margin-top: 40px; }
.band { margin: 40px 0 16px; }
.band + article { margin-top: 0; }
.about { min-width: 0; max-width: 46rem; }
.about > h2, .about > h3:first-child { margin-top: 0; }
.about > h2 code, .about > h3 code { font-size: 16px; }
.method { flex: none; min-width: 56px; font-weight: 650; font-size: 12px; }
.method.get { color: var(--accent); } .method.post { color: var(--good); }
.method.put, .method.patch { color: var(--warning); } .method.delete { color: var(--bad); }
.call .method { min-width: 0; margin-right: 4px; }
.call code { padding: 0; border: 0; background: none; }
.facts { display: grid; grid-template-columns: 56px minmax(0, 1fr); gap: 2px 12px; margin: 16px 0; padding: 10px 14px; border: 1px solid var(--hairline); border-radius: 8px; font-size: 13.5px; }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; }
.media { margin: 4px 0; }
.media code { padding: 0; border: 0; background: none; }
.fields { list-style: none; margin: 8px 0 0; padding: 0; border-top: 1px solid var(--hairline); }
.fields > li { padding: 10px 0; border-bottom: 1px solid var(--hairline); }
.fields p { margin: 2px 0 0; color: var(--quiet); font-size: 14px; line-height: 1.55; }
.fields code.name { padding: 0; border: 0; background: none; font-size: 13px; font-weight: 650; }
.fields strong { color: var(--warning); font-size: 12px; font-weight: 550; }
details { margin-top: 8px; }
summary { width: fit-content; padding: 2px 0; color: var(--quiet); font-size: 13px; cursor: pointer; }
summary:hover { color: var(--text); }
.fields details { padding: 0 12px; border: 1px solid var(--hairline); border-radius: 8px; width: fit-content; max-width: 100%; }
.fields details[open] { width: auto; padding-bottom: 4px; }
.fields .fields { border-top: 1px solid var(--hairline); }
.fields .fields > li:last-child { border-bottom: 0; }
.success { margin-top: 8px; }
.success strong { margin-right: 4px; }
details dl { margin: 8px 0; display: grid; grid-template-columns: 40px minmax(0, 1fr); row-gap: 12px; font-size: 14px; }
details dt { color: var(--quiet); font-variant-numeric: tabular-nums; }
dd { margin: 0; }
.errors { list-style: none; margin: 0; padding: 0; }
.errors li + li { margin-top: 12px; }
.errors p { margin: 2px 0 0; }
.do { color: var(--quiet); }
.do strong { margin-right: 4px; color: var(--text); font-weight: 550; }
.list { padding-left: 20px; }
.list li { margin: 4px 0; }
.scroll { margin: 12px 0; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--hairline); text-align: left; vertical-align: top; overflow-wrap: break-word; }
td p { margin: 0; }
th { color: var(--quiet); font-weight: 550; }
td:first-child { min-width: 7rem; }

figure.code { position: relative; margin: 16px 0; border: 1px solid var(--hairline); border-radius: 10px; background: var(--raised); overflow: hidden; }
figure.code figcaption { padding: 6px 16px; border-bottom: 1px solid var(--hairline); color: var(--quiet); font-size: 12px; min-height: 32px; }
figure.code pre { padding: 12px 16px; overflow-x: auto; overflow-wrap: normal; }
.side { position: sticky; top: calc(var(--bar) + 24px); align-self: start; max-height: calc(100vh - var(--bar) - 48px); overflow-y: auto; border-radius: 10px; }
.samples { position: relative; margin: 0; padding: 0; border: 1px solid var(--hairline); border-radius: 10px; min-width: 0; background: var(--raised); }
.samples legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.side pre { padding: 12px 16px; white-space: pre-wrap; }
.choice, .legend { display: flex; gap: 4px; align-items: center; margin: 0; min-height: 40px; padding: 0 80px 0 8px; border-bottom: 1px solid var(--hairline); font-size: 13px; }
.choice input { position: absolute; opacity: 0; width: 1px; height: 1px; }
.choice label { padding: 3px 9px; border-radius: 6px; color: var(--quiet); cursor: pointer; }
.choice label:hover { color: var(--text); }
.choice input:checked + label { background: var(--page); color: var(--text); box-shadow: 0 0 0 1px var(--edge); }
.choice input:focus-visible + label { outline: 2px solid var(--accent); outline-offset: 1px; }
.samples pre { display: none; }
.samples:has(input[value="curl"]:checked) pre.curl,
.samples:has(input[value="typescript"]:checked) pre.typescript,
.samples:has(input[value="cli"]:checked) pre.cli { display: block; }
.answer { position: relative; border: 1px solid var(--hairline); border-radius: 10px; background: var(--raised); }
.samples + .answer { margin-top: 16px; }
.legend { gap: 8px; padding-left: 16px; color: var(--quiet); }
button { font: inherit; }
.copy { position: absolute; right: 8px; top: 7px; height: 26px; padding: 0 8px; border: 1px solid var(--hairline); border-radius: 6px; background: var(--page); color: var(--quiet); font-size: 12px; cursor: pointer; }
figure.code .copy { top: 3px; }
.copy:hover { color: var(--text); border-color: var(--edge); }
.button { min-height: 34px; padding: 0 14px; border: 1px solid var(--edge); border-radius: 8px; background: var(--page); color: var(--text); font-size: 14px; cursor: pointer; }
.button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 550; }
.try { margin: 12px 0; }

dialog { width: min(760px, calc(100vw - 32px)); max-height: calc(100dvh - 48px); padding: 0; border: 1px solid var(--hairline); border-radius: 14px; background: var(--page); color: var(--text); box-shadow: 0 24px 64px rgb(0 0 0 / 32%); }
dialog::backdrop { background: rgb(10 12 16 / 48%); }
dialog form { display: grid; gap: 14px; padding: 20px 24px 24px; }
dialog h2 { margin: 0; font-size: 18px; }
dialog .head { display: flex; align-items: start; justify-content: space-between; gap: 16px; }
dialog .head p { margin: 2px 0 0; }
dialog fieldset { margin: 0; padding: 12px 14px 14px; border: 1px solid var(--hairline); border-radius: 8px; display: grid; gap: 10px; min-width: 0; }
dialog legend { padding: 0 4px; font-size: 13px; font-weight: 600; }
dialog label.field { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 8px; align-items: center; font-size: 14px; }
dialog label.field code { font-size: 13px; }
dialog input:not([type="radio"]), dialog select, dialog textarea { width: 100%; min-height: 34px; padding: 6px 10px; border: 1px solid var(--edge); border-radius: 6px; background: var(--raised); color: inherit; font: 13px/20px var(--mono); }
dialog textarea { min-height: 160px; resize: vertical; }
dialog .ways { display: flex; flex-wrap: wrap; gap: 4px 20px; font-size: 14px; }
dialog .ask { padding: 12px 14px; border: 1px solid var(--warning); border-radius: 8px; }
dialog .row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
dialog output { display: block; }
dialog output pre { max-height: 22rem; overflow: auto; padding: 12px 16px; border: 1px solid var(--hairline); border-radius: 8px; background: var(--raised); white-space: pre-wrap; }
dialog .good { color: var(--good); } dialog .bad { color: var(--bad); }

@media (max-width: 82rem) {
  article { grid-template-columns: minmax(0, 1fr); row-gap: 24px; }
  .side { position: static; max-height: none; max-width: 46rem; }
  main.with-list { display: block; }
  .here { display: none; }
}
@media (max-width: 56rem) {
  body { display: block; }
  .top { padding: 0 16px; gap: 12px; }
  .menu { display: block; order: 3; white-space: nowrap; padding: 8px 0; font-size: 14px; }
  .console { display: none; }
  .search { flex: 1 1 auto; margin-left: 0; min-width: 0; }
  #contents { display: none; }
  #contents:target { display: block; position: fixed; inset: 0; z-index: 9; height: auto; padding: 16px 24px 48px; border: 0; background: var(--page); font-size: 16px; }
  #contents a { padding: 8px; }
  #contents .close { display: block; width: fit-content; margin-bottom: 8px; color: var(--accent); text-decoration: underline; }
  main { padding: 20px 16px 64px; }
  .tools { float: none; margin: 0 0 12px; }
  article { padding: 32px 0; }
  .calls a > span:last-child { width: 100%; margin-left: 64px; }
  dialog label.field { grid-template-columns: minmax(0, 1fr); gap: 2px; }
}
@media (max-width: 30rem) {
  h1 { font-size: 26px; }
  .title span, .search kbd { display: none; }
  .search input { padding-right: 12px; }
  td:first-child { min-width: 5rem; }
  .calls a > span:last-child { margin-left: 0; }
}
@media print { .top, #contents, .here, .copy, .choice, .tools, .next, .try { display: none; } body { display: block; } .side { position: static; max-height: none; } }
`
