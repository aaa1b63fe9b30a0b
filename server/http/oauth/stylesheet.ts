import { designTokens } from '../design_tokens.ts'

/** The stylesheet of the pages for people. It supports light and dark mode and loads no other files. */
export const stylesheet = `${designTokens}* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; padding: clamp(1rem, 4vw, 3.5rem) 1rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
main {
  max-width: 36rem; margin: 0 auto; padding: clamp(1.25rem, 4vw, 2.25rem); background: var(--card); border: 1px solid var(--line);
  border-radius: 16px; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px rgb(0 0 0 / .06);
}
main.small { max-width: 25rem; }
h1 { margin: 0; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; overflow-wrap: anywhere; }
h2, legend { margin: 0; padding: 0; font-size: .9375rem; font-weight: 650; }
p { margin: .5rem 0 0; }
.soft { color: var(--soft); }
.small-print { font-size: .875rem; color: var(--soft); }
a { color: var(--accent); }
code { padding: .125rem .375rem; background: var(--ground); border: 1px solid var(--line); border-radius: 6px; font-size: .875em; overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.parties { display: flex; align-items: center; gap: .625rem; margin-bottom: 1.125rem; }
.badge {
  width: 2.75rem; height: 2.75rem; border-radius: 12px; display: grid; place-items: center; flex: none; object-fit: cover;
  background: var(--accent-wash); color: var(--accent); font-weight: 700; font-size: 1.25rem; border: 1px solid var(--line);
}
.badge.plain { background: var(--ground); color: var(--soft); }
.parties .dots { color: var(--soft); letter-spacing: .15em; }
section, fieldset { margin: 1.5rem 0 0; padding: 0; border: 0; min-width: 0; }
.rights { list-style: none; margin: .5rem 0 0; padding: 0; display: grid; gap: .375rem; }
.rights li { display: grid; grid-template-columns: 1.375rem 1fr; gap: .5rem; }
.rights li::before { content: "✓"; color: var(--good); font-weight: 700; }
.rights li.not::before { content: "–"; color: var(--soft); }
.rights li.not { color: var(--soft); }
label.field { display: block; font-size: .9375rem; font-weight: 600; margin: 1rem 0 .375rem; }
input[type="text"], input[type="email"], input[type="password"], input[type="search"], select {
  width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--field);
  border: 1px solid var(--line); border-radius: 10px;
}
::placeholder { color: var(--soft); opacity: 1; }
.row { display: flex; gap: .5rem; margin-top: .5rem; }
.row > :first-child { flex: 1; min-width: 0; }
button {
  min-height: 2.75rem; padding: .5rem 1.125rem; font: inherit; font-weight: 600; border-radius: 10px; border: 1px solid var(--line);
  background: var(--card); color: var(--ink); cursor: pointer;
}
button:hover { border-color: var(--soft); }
button.main { background: var(--accent); border-color: var(--accent); color: var(--accent-ink); }
button.main:hover { filter: brightness(1.08); }
button.wide { width: 100%; margin: 1.25rem 0 .5rem; }
button.link { min-height: 0; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 500; text-decoration: underline; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.choice { display: grid; gap: .5rem; margin-top: .625rem; }
.choice label, .items label {
  display: grid; grid-template-columns: auto auto 1fr; gap: .625rem; align-items: center; padding: .5rem .625rem; border-radius: 10px; cursor: pointer;
}
.choice label { grid-template-columns: auto 1fr; border: 1px solid var(--line); }
.choice label:has(:checked) { border-color: var(--accent); background: var(--accent-wash); }
.template:has(input[value="true"]:checked) .picker { display: none; }
.items { list-style: none; margin: .375rem 0 0; padding: .25rem; border: 1px solid var(--line); border-radius: 12px; max-height: 21rem; overflow-y: auto; }
.items label:hover { background: var(--ground); }
.items label:has(:checked) { background: var(--accent-wash); }
.items .icon { width: 1.5rem; text-align: center; line-height: 1; }
.items svg { display: block; margin: 0 auto; fill: none; stroke: var(--soft); stroke-width: 1.4; stroke-linejoin: round; stroke-linecap: round; }
.items .title { display: block; overflow-wrap: anywhere; }
.items .place { display: block; font-size: .8125rem; color: var(--soft); overflow-wrap: anywhere; }
input[type="checkbox"], input[type="radio"] { width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--accent); flex: none; }
.caption { margin: 1rem 0 0; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.notice { margin: 1.25rem 0 0; padding: .75rem .875rem; border-radius: 10px; background: var(--alarm-wash); color: var(--alarm); font-weight: 500; }
.notice:focus { outline: none; }
.cards { list-style: none; margin: 1.25rem 0 0; padding: 0; display: grid; gap: .75rem; }
.cards > li { padding: 1rem; border: 1px solid var(--line); border-radius: 12px; }
.cards .head { display: flex; align-items: center; gap: .75rem; }
.cards h2 { overflow-wrap: anywhere; }
.cards .head p { margin: 0; }
.cards .rights { margin-top: .75rem; font-size: .9375rem; }
details { margin-top: .75rem; }
summary { color: var(--accent); cursor: pointer; font-weight: 500; }
details button { margin-top: .625rem; }
button.alarm { border-color: var(--alarm); color: var(--alarm); }
.done { margin: 1.25rem 0 0; padding: .75rem .875rem; border-radius: 10px; background: var(--accent-wash); font-weight: 500; }
footer { display: flex; gap: .625rem; justify-content: flex-end; margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
.account { display: flex; flex-wrap: wrap; gap: .25rem .75rem; justify-content: space-between; align-items: baseline; margin-top: 1.25rem; }
.account form { margin: 0; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 30rem) {
  footer { flex-direction: column-reverse; }
  footer button { width: 100%; }
}
@media (forced-colors: active) { .choice label:has(:checked), .items label:has(:checked) { outline: 1px solid; } }
`
