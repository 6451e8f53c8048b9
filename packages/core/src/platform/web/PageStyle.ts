/** The stylesheet of the public pages: light and dark, from a width of 320 pixels. */
export const pageStyle = `:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --card: #ffffff;
  --line: #dfe2e7;
  --text: #1c2330;
  --quiet: #586173;
  --accent: #1f5eff;
  --on-accent: #ffffff;
  --accent-hover: #1a4fd6;
  --done: #e8f5ec;
  --done-text: #14532d;
  --warn: #fdf3e1;
  --warn-text: #6b3f06;
  --wrong: #b3261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12151b;
    --card: #1b1f28;
    --line: #313846;
    --text: #e9ecf2;
    --quiet: #a4adbd;
    --accent: #8fb0ff;
    --on-accent: #0d1526;
    --accent-hover: #abc4ff;
    --done: #173324;
    --done-text: #b7e4c7;
    --warn: #3a2c12;
    --warn-text: #f4d9a4;
    --wrong: #ffb4ab;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  min-height: 100svh;
  display: grid;
  grid-template-rows: auto 1fr auto;
  background: var(--ground);
  color: var(--text);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Noto Sans CJK JP", "Noto Sans CJK SC", sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { width: 100%; max-width: 34rem; margin: 0 auto; padding: 0 1rem; }
header { padding-top: clamp(1.5rem, 8vh, 5rem); padding-bottom: 0.75rem; }
.project { margin: 0; color: var(--quiet); font-size: 1rem; font-weight: 600; }
main { align-self: start; }
.card {
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.875rem;
  padding: clamp(1.25rem, 5vw, 2rem);
}
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; text-wrap: balance; }
p { margin: 0 0 1rem; text-wrap: pretty; }
.address { display: block; margin: 0 0 1rem; color: var(--quiet); font-variant-numeric: tabular-nums; }
.notice { margin: 0 0 1.25rem; padding: 0.75rem 1rem; border-radius: 0.5rem; }
.done { display: flex; gap: 0.75rem; align-items: flex-start; }
.done::before {
  content: "\\2713" / "";
  flex: none;
  width: 1.875rem;
  height: 1.875rem;
  border-radius: 50%;
  background: var(--done);
  color: var(--done-text);
  font-weight: 700;
  line-height: 1.875rem;
  text-align: center;
}
.notice-warn { background: var(--warn); color: var(--warn-text); }
.card > :last-child { margin-bottom: 0; }
form { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.25rem 0 0; }
button {
  flex: 1 1 12rem;
  min-height: 3rem;
  padding: 0.625rem 1.25rem;
  border: 1px solid var(--accent);
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
  overflow-wrap: anywhere;
}
button:hover { background: var(--accent-hover); border-color: var(--accent-hover); }
label { display: block; flex: 1 1 100%; font-weight: 600; }
.field { flex: 1 1 100%; }
.hint { margin: 0.375rem 0 0; color: var(--quiet); font-size: 0.9375rem; }
input:not([type="checkbox"], [type="radio"]), select {
  display: block;
  width: 100%;
  min-height: 3rem;
  margin-top: 0.375rem;
  padding: 0.625rem 0.875rem;
  border: 1px solid var(--quiet);
  border-radius: 0.5rem;
  background: var(--card);
  color: var(--text);
  font: inherit;
}
select { appearance: none; }
.optional { color: var(--quiet); font-weight: 400; }
label.tick { display: flex; gap: 0.75rem; align-items: flex-start; font-weight: 400; }
label.tick input { flex: none; width: 1.5rem; height: 1.5rem; margin: 0.0625rem 0 0; accent-color: var(--accent); }
label.tick strong { display: block; font-weight: 600; }
label.tick small { display: block; color: var(--quiet); font-size: 0.9375rem; }
fieldset { display: grid; flex: 1 1 100%; gap: 0.75rem; min-width: 0; margin: 0; padding: 0; border: 0; }
legend { margin-bottom: 0.5rem; padding: 0; font-weight: 600; }
.until { padding-left: 2.25rem; }
.apart { padding-top: 1.25rem; border-top: 1px solid var(--line); }
.fault { margin: 0.375rem 0 0; color: var(--wrong); font-size: 0.9375rem; }
[aria-invalid="true"]:not([type="checkbox"]) { border-color: var(--wrong); }
.lines { white-space: pre-line; }
.small { color: var(--quiet); font-size: 0.9375rem; }
[hidden] { display: none; }
.later { visibility: hidden; animation: later 0s linear 2.2s forwards; }
@keyframes later { to { visibility: visible; } }
.logo { display: inline-block; max-width: 12rem; max-height: 3rem; vertical-align: middle; }
.project a { color: inherit; text-decoration: none; }
.links { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0 0 1rem; padding: 0; list-style: none; font-size: 0.9375rem; }
.links a { display: inline-block; padding: 0.375rem 0; }
.facts { margin: 0 0 1rem; color: var(--quiet); }
button.second { background: transparent; color: var(--accent); }
button.second:hover { background: transparent; color: var(--accent-hover); border-color: var(--accent-hover); }
a { color: var(--accent); text-underline-offset: 0.2em; }
a:hover { color: var(--accent-hover); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.back { margin: 1.25rem 0 0; }
footer { padding-top: 2rem; padding-bottom: 1.5rem; }
.languages { color: var(--quiet); font-size: 0.9375rem; }
.languages h2 { margin: 0 0 0.25rem; font-size: inherit; font-weight: 600; }
.languages ul { display: flex; flex-wrap: wrap; gap: 0 1rem; margin: 0; padding: 0; list-style: none; }
.languages a { display: inline-block; padding: 0.375rem 0; color: inherit; }
.languages a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
@media (forced-colors: active) { .notice, .card { border: 1px solid; } }
`
