import { createHash } from 'node:crypto'
import { designTokens } from '../design_tokens.ts'
import { colorRules } from './style_colors.ts'

const layout = `
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--card); color: var(--ink); font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
:target { scroll-margin-top: 1rem; background: var(--accent-wash); border-radius: 6px; }
.soft, .kind, .meta { color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; padding: .5rem .75rem; background: var(--card); }
.bar { display: flex; gap: 1rem; align-items: center; padding: .625rem 1.25rem; border-bottom: 1px solid var(--line); font-size: .9375rem; }
.bar a { color: inherit; text-decoration: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar a:hover { text-decoration: underline; }
.bar .home { font-weight: 650; }
.bar .account { color: var(--soft); }
.bar form { display: flex; gap: .5rem; flex: 1; max-width: 30rem; margin: 0 auto; }
.bar input { flex: 1; min-width: 0; min-height: 2.25rem; padding: .25rem .75rem; font: inherit; color: inherit; background: var(--field); border: 1px solid var(--line); border-radius: 10px; }
.bar ::placeholder { color: var(--soft); opacity: 1; }
.bar button { min-height: 2.25rem; padding: .25rem .875rem; font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
.bar button:hover { border-color: var(--soft); }
.shell { display: grid; grid-template: "tree main" auto / minmax(13rem, 17rem) minmax(0, 1fr); align-items: start; min-height: calc(100vh - 3.75rem); }
main { grid-area: main; padding: 2rem clamp(1.25rem, 5vw, 4rem) 5rem; }
article { max-width: 44rem; margin: 0 auto; }
article.database, article.source { max-width: 78rem; }
.tree { grid-area: tree; align-self: stretch; padding: 1.25rem .75rem 3rem; background: var(--ground); border-right: 1px solid var(--line); font-size: .9375rem; line-height: 1.4; }
.tree h2 { margin: 0 .5rem .5rem; font-size: .8125rem; font-weight: 600; color: var(--soft); }
.tree ul { list-style: none; margin: 0; padding: 0; }
.tree ul ul { margin-left: .75rem; padding-left: .375rem; border-left: 1px solid var(--line); }
.tree a { display: flex; gap: .375rem; align-items: baseline; padding: .25rem .5rem; border-radius: 6px; color: inherit; text-decoration: none; }
.tree a span:last-child { overflow-wrap: anywhere; }
.tree a:hover { background: var(--card); }
.tree [aria-current] { background: var(--accent-wash); color: var(--ink); font-weight: 600; }
.to-pages { display: none; }
.crumbs { display: flex; flex-wrap: wrap; gap: 0 .125rem; list-style: none; margin: 0 0 1.25rem; padding: 0; font-size: .875rem; }
.crumbs a { display: inline-flex; gap: .3rem; align-items: baseline; color: var(--soft); text-decoration: none; overflow-wrap: anywhere; }
.crumbs a:hover { text-decoration: underline; }
.crumbs li + li::before { content: "/"; margin: 0 .375rem; color: var(--soft); }
.page-cover { display: block; width: 100%; max-height: 16rem; object-fit: cover; border-radius: 12px; margin-bottom: 1.25rem; }
h1 { margin: 0; font-size: clamp(1.75rem, 4vw, 2.25rem); line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; overflow-wrap: anywhere; }
h1 .icon { margin-right: .625rem; }
.meta { margin: .375rem 0 1.5rem; font-size: .875rem; }
.trash, .part { padding: .625rem .875rem; border-radius: 10px; background: var(--alarm-wash); color: var(--alarm); font-weight: 500; }
.part { background: var(--accent-wash); color: var(--ink); }
.more { margin: 1.5rem 0; }
.more a, .forms a { display: inline-block; padding: .375rem .875rem; border: 1px solid var(--line); border-radius: 10px; text-decoration: none; }
.more a:hover, .forms a:hover { border-color: var(--accent); }
.programs { margin-top: 4rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9375rem; }
.programs .forms { margin-bottom: 1rem; }
.programs summary, .comments summary { color: var(--soft); cursor: pointer; }
.programs h2 { margin: 1.25rem 0 .375rem; font-size: .9375rem; }
.programs p { margin: .5rem 0; }
pre { margin: 0; padding: .875rem 1rem; overflow-x: auto; background: var(--ground); border: 1px solid var(--line); border-radius: 10px; font: .875rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; tab-size: 2; }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; overflow-wrap: anywhere; }
:not(pre) > code { padding: .125rem .3rem; background: var(--ground); border: 1px solid var(--line); border-radius: 5px; }
pre.markdown { white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { font-size: inherit; overflow-wrap: normal; }
.icon { display: inline-block; flex: none; min-width: 1.25em; text-align: center; font-weight: 400; }
img.icon { width: 1.25em; height: 1.25em; object-fit: cover; border-radius: 4px; vertical-align: -.2em; }
.icon.dot { min-width: 0; width: .75em; height: .75em; margin: 0 .25em; border-radius: 50%; background: currentColor; }
.kind-page, .kind-database { min-width: 0; width: .7em; height: .875em; margin: 0 .275em; border: 1.5px solid var(--soft); border-radius: 2px; vertical-align: -.05em; }
.kind-database { width: .875em; margin: 0 .19em; background: linear-gradient(var(--soft) 1.5px, transparent 1.5px 4px, var(--soft) 4px 5.5px, transparent 5.5px); }
`

const blocks = `
.content { overflow-wrap: anywhere; }
.content p { margin: 0; padding: .1875rem 0; min-height: 1.9em; white-space: pre-wrap; }
.content h2, .content h3, .content h4, .content h5 { margin: 0; line-height: 1.3; text-wrap: balance; white-space: pre-wrap; }
.content h2 { padding: 1.75rem 0 .25rem; font-size: 1.625rem; letter-spacing: -.01em; }
.content h3 { padding: 1.375rem 0 .25rem; font-size: 1.3125rem; }
.content h4 { padding: 1.125rem 0 .25rem; font-size: 1.125rem; }
.content h5 { padding: 1rem 0 .25rem; font-size: 1rem; }
.content [class^="bg-"]:is(p, h2, h3, h4, h5, blockquote) { padding-inline: .5rem; border-radius: 6px; }
.content ul, .content ol { margin: .25rem 0; padding-left: 1.625rem; }
.content li { padding: .125rem 0; }
.text { white-space: pre-wrap; }
.content .crumbs { margin: .25rem 0; padding: 0; }
.to-dos { list-style: none; }
.content .to-dos { padding-left: 0; }
.to-dos > li { position: relative; padding-left: 1.875rem; }
.to-dos > li::before, .check { content: ""; display: inline-block; width: 1.0625rem; height: 1.0625rem; border: 1.5px solid var(--soft); border-radius: 4px; vertical-align: -.15em; }
.to-dos > li::before { position: absolute; left: .125rem; top: .475rem; }
.to-dos > li::before, .check { text-align: center; font: 700 .8125rem/1.125rem system-ui, sans-serif; color: var(--accent-ink); }
.to-dos > .done::before, .check.done { background: var(--accent); border-color: var(--accent); }
.to-dos > .done::before, .check.done::before { content: "✓"; }
.to-dos > .done > .text { color: var(--soft); text-decoration: line-through; }
.indented { padding-left: 1.625rem; }
.toggle > summary { cursor: pointer; padding: .1875rem 0; }
.toggle.of-heading > summary { display: flex; gap: .5rem; align-items: baseline; list-style: none; }
.toggle.of-heading > summary::-webkit-details-marker { display: none; }
.toggle.of-heading > summary::before { content: "▸"; color: var(--soft); }
.toggle.of-heading[open] > summary::before { content: "▾"; }
.toggle > .inside { padding-left: 1.25rem; }
blockquote { margin: .5rem 0; padding: .125rem 0 .125rem 1rem; border-left: 3px solid var(--ink); }
blockquote[class^="bg-"] { border-radius: 0 6px 6px 0; }
.callout { display: flex; gap: .625rem; margin: .5rem 0; padding: .75rem 1rem; border-radius: 10px; }
.callout > div { flex: 1; min-width: 0; }
.callout > .icon { padding-top: .1875rem; }
hr { margin: 1.25rem 0; border: 0; border-top: 1px solid var(--line); }
figure { margin: .75rem 0; }
figure > img, figure > video { display: block; max-width: 100%; border-radius: 10px; }
figure > audio { width: 100%; }
figcaption { margin-top: .375rem; font-size: .875rem; color: var(--soft); }
.language { margin-bottom: .25rem; font-size: .8125rem; color: var(--soft); }
.card { display: grid; gap: .125rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; color: inherit; text-decoration: none; }
a.card:hover { border-color: var(--accent); }
.card .name { overflow-wrap: anywhere; }
.card .kind { font-size: .875rem; }
.equation { margin: .75rem 0; padding: .25rem 0; overflow-x: auto; text-align: center; }
math { font-size: 1.15em; }
.columns { display: flex; gap: 2rem; }
.column { flex: 1 1 0; min-width: 0; }
.tabs { margin: .75rem 0; border: 1px solid var(--line); border-radius: 10px; }
.tabs > details + details { border-top: 1px solid var(--line); }
.tabs summary { padding: .5rem 1rem; cursor: pointer; font-weight: 600; }
.tabs .inside { padding: 0 1rem .75rem; }
.synced { padding-left: .75rem; border-left: 2px solid var(--accent); }
.origin { font-size: .8125rem; }
.scroll, .board { position: relative; }
.scroll { margin: .75rem 0; overflow-x: auto; overflow-wrap: normal; }
table { border-collapse: collapse; font-size: .9375rem; line-height: 1.5; }
table.simple { min-width: 100%; }
table.simple :is(th, td) { padding: .4375rem .75rem; border: 1px solid var(--line); text-align: left; vertical-align: top; white-space: pre-wrap; min-width: 5rem; max-width: 24rem; overflow-wrap: break-word; }
table.simple th { background: var(--ground); font-weight: 600; }
.record a { display: inline-flex; gap: .375rem; align-items: baseline; color: inherit; font-weight: 500; }
.record a span:last-child { text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .25em; }
.record a:hover span:last-child { text-decoration-color: currentColor; }
.contents ul { list-style: none; padding: 0; }
.contents a { color: var(--soft); }
.contents .level-2 { padding-left: 1.25rem; }
.contents .level-3 { padding-left: 2.5rem; }
.contents .level-4 { padding-left: 3.75rem; }
.notes { margin: .75rem 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 10px; }
.content .notes .head { white-space: normal; }
.tag { padding: .0625rem .5rem; border: 1px solid var(--line); border-radius: 99px; font-size: .8125rem; color: var(--soft); white-space: nowrap; }
.unsupported { color: var(--soft); font-style: italic; }
.mention { font-weight: 500; }
a.mention { color: inherit; text-decoration-color: var(--soft); }
span.mention { color: var(--soft); }
.comments { margin: .375rem 0 .75rem; padding: .375rem .75rem; border-left: 3px solid var(--accent); background: var(--ground); border-radius: 0 8px 8px 0; font-size: .9375rem; }
.comments ol { list-style: none; margin: .375rem 0 0; padding: 0; }
.comments ol + ol { margin-top: .75rem; padding-top: .5rem; border-top: 1px solid var(--line); }
.comments p { margin: 0; padding: 0; min-height: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.comments .by { margin-top: .375rem; font-size: .875rem; }
`

const rows = `
.properties { display: grid; gap: .375rem; margin: 0 0 1.75rem; padding: 0 0 1.5rem; border-bottom: 1px solid var(--line); font-size: .9375rem; }
.properties > div { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: 1rem; }
.properties dt, .details dt { color: var(--soft); overflow-wrap: anywhere; }
dd { margin: 0; overflow-wrap: anywhere; }
.properties dd { white-space: pre-wrap; }
.values { display: inline-flex; flex-wrap: wrap; gap: .25rem .5rem; }
.option, .status { display: inline-block; padding: .0625rem .5rem; border-radius: 6px; font-size: .875em; color: var(--ink); }
.option.bg-default, .status.bg-default { background: var(--gray-bg); }
.status { border-radius: 99px; }
.status::before { content: "●"; margin-right: .375rem; font-size: .625em; vertical-align: .2em; }
.number { font-variant-numeric: tabular-nums; }
.description { max-width: 44rem; margin: 0 0 1rem; white-space: pre-wrap; }
.views ul { display: flex; flex-wrap: wrap; gap: .25rem; list-style: none; margin: 0 0 1rem; padding: 0 0 .5rem; border-bottom: 1px solid var(--line); }
.views a { display: block; padding: .25rem .75rem; border-radius: 8px; color: inherit; text-decoration: none; }
.views a:hover { background: var(--ground); }
.views [aria-current] { background: var(--accent-wash); font-weight: 600; }
.kind { font-size: .8125rem; font-weight: 400; }
.row-title { display: inline-flex; gap: .3rem; align-items: baseline; color: inherit; font-weight: 550; text-decoration: underline; text-decoration-color: var(--line); text-underline-offset: .25em; }
.row-title:hover { text-decoration-color: currentColor; }
table.rows { min-width: 100%; width: max-content; }
table.rows :is(time, .option, .status, .person) { white-space: nowrap; }
table.rows :is(th, td) { padding: .4375rem .75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; max-width: 22rem; overflow-wrap: break-word; white-space: pre-wrap; }
table.rows thead th { position: sticky; top: 0; background: var(--card); color: var(--soft); font-weight: 500; font-size: .875rem; white-space: nowrap; }
table.rows tbody th { font-weight: 400; min-width: 12rem; }
table.rows td.number { text-align: right; }
table.rows .group th { padding-top: 1.25rem; }
.row-list, .gallery, .board ul, .results, .widgets, .calendar { list-style: none; margin: 0; padding: 0; }
.row-list li { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.details { display: grid; gap: .25rem; margin: .375rem 0 0; font-size: .875rem; }
.details > div { display: flex; gap: .5rem; align-items: baseline; }
.details dt { flex: none; max-width: 45%; font-size: .8125rem; }
.row-list .details { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: 1rem; }
.row-card { padding: .75rem .875rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: hidden; }
.gallery .cover { display: block; width: calc(100% + 1.75rem); height: 8rem; margin: -.75rem -.875rem .75rem; object-fit: cover; background: var(--ground); border-bottom: 1px solid var(--line); }
.board { display: flex; gap: 1rem; padding-bottom: .5rem; overflow-x: auto; align-items: flex-start; }
.lane { flex: 0 0 17rem; padding: .5rem; background: var(--ground); border-radius: 12px; }
.lane h2 { margin: .125rem .25rem .625rem; font-size: .9375rem; font-weight: 500; }
.lane ul { display: grid; gap: .5rem; }
.month { display: flex; gap: 1rem; align-items: center; margin-bottom: .75rem; }
.month h2 { margin: 0; font-size: 1.125rem; }
.month a { padding: .125rem .75rem; border: 1px solid var(--line); border-radius: 8px; text-decoration: none; }
.calendar { display: grid; grid-template-columns: repeat(7, minmax(0, 1fr)); border: 1px solid var(--line); border-width: 1px 0 0 1px; }
.calendar li { min-height: 6.5rem; padding: .375rem .5rem; border: 1px solid var(--line); border-width: 0 1px 1px 0; }
.calendar time { font-size: .8125rem; color: var(--soft); }
.calendar .outside { background: var(--ground); }
.calendar p { margin: .25rem 0; font-size: .875rem; line-height: 1.35; overflow-wrap: anywhere; }
.results li, .widgets li { display: flex; flex-wrap: wrap; gap: 0 1rem; justify-content: space-between; align-items: baseline; padding: .5rem 0; border-bottom: 1px solid var(--line); }
.results .soft { font-size: .875rem; }
.search h1 { margin-bottom: 1rem; }
`

const narrow = `
@media (max-width: 60rem) {
  .calendar { display: block; border: 0; }
  .calendar li { min-height: 0; border: 0; border-bottom: 1px solid var(--line); }
  .calendar .empty, .calendar .outside { display: none; }
}
@media (max-width: 48rem) {
  .bar { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem 1rem; padding: .625rem 1rem; }
  .bar .account { grid-area: 1 / 2; text-align: right; }
  .bar form { grid-column: 1 / 3; width: 100%; max-width: none; }
  .shell { display: block; }
  main { padding: 1rem 1rem 3rem; }
  .tree { border: 0; border-top: 1px solid var(--line); }
  .tree a { padding: .5rem; }
  .to-pages { display: block; margin: 0 0 .75rem; font-size: .875rem; }
  .columns { display: block; }
  .properties > div { grid-template-columns: minmax(6rem, 8rem) minmax(0, 1fr); }
}
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
@media (forced-colors: active) { .to-dos > .done::before, .check.done { background: Highlight; color: HighlightText; } }
@media print { .bar, .tree, .programs, .to-pages { display: none; } .shell { display: block; } }
`

/** The style sheet of the pages of workspaces. */
export const stylesheetOfRecords = `${designTokens}${colorRules}${layout}${blocks}${rows}${narrow}`

const digest = createHash('sha256').update(stylesheetOfRecords, 'utf8').digest('hex').slice(0, 12)

/** The path contains a digest of the style sheet, so that browsers may cache each version. */
export const STYLESHEET_PATH = `/styles/pages-${digest}.css`
