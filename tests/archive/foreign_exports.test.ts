import { afterAll, describe, expect, it } from 'vitest'
import { png } from '../harness/files.ts'
import { lossesOf } from './support/archives.ts'
import { importer } from './support/importer.ts'

const { drop, exported, importAs } = await importer()
afterAll(drop)

const hex = (digit: number): string => digit.toString(16).repeat(32)
const page = (title: string, body: string, header = ''): string =>
  `<html><head><title>${title}</title><style>h1{}</style></head><body><article class="page sans"><header>${header}<h1 class="page-title">${title}</h1></header><div class="page-body">${body}</div></article></body></html>`

describe('workspace import of an HTML export', () => {
  it('creates pages, databases with their rows, and blocks of the matching types', async () => {
    const properties = `<table class="properties"><tbody><tr class="property-row property-row-select"><th><span class="icon property-icon"><svg></svg></span>Status</th><td><span class="selected-value">Done</span></td></tr></tbody></table>`
    const outcome = await importAs('Html', {
      [`Home ${hex(1)}.html`]: page(
        'Home',
        `<figure class="block-color-gray_background callout" style="white-space:pre-wrap"><div><span class="icon">⚓</span></div><div style="width:100%">Mind the tide</div></figure>
<ul class="toggle"><li><details open=""><summary>Costs</summary><p>Berth</p></details></li></ul>
<details open=""><summary style="font-weight:600;font-size:1.5em">Plan</summary><p>Inside</p></details>
<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">Oil</span></li></ul>
<ul class="bulleted-list"><li style="list-style-type:disc">One</li></ul><ul class="bulleted-list"><li>Two</li></ul>
<figure class="image"><a href="Home/tide.png"><img style="width:10px" src="Home/tide.png"/></a><figcaption>Low water</figcaption></figure>
<figure class="link-to-page"><a href="Home/Inner%20${hex(2)}.html"><span class="icon">📄</span>Inner</a></figure>
<div class="column-list"><div style="width:50%" class="column"><p>Left</p></div><div style="width:50%" class="column"><p>Right</p></div></div>
<pre class="code"><code class="language-JavaScript">let x &lt; 1</code></pre>
<figure class="equation"><div class="equation-container"><span class="katex-display"><annotation encoding="application/x-tex">a^2</annotation></span></div></figure>
<table class="simple-table"><tbody><tr><td>City</td><td>Nights</td></tr></tbody></table>
<p><mark class="highlight-red">red</mark> <span style="border-bottom:0.05em solid">under</span></p>
<div class="collection-content"><h4 class="collection-title">Boats</h4><table class="collection-content"><tbody><tr><td class="cell-title"><a href="Home/Boats/Heron%20${hex(4)}.html">Heron</a></td></tr></tbody></table></div>`,
        '<div class="page-header-icon undefined"><span class="icon">🎯</span></div>',
      ),
      'Home/tide.png': png,
      [`Home/Inner ${hex(2)}.html`]: page('Inner', '<p>Text</p>'),
      [`Home/Boats ${hex(3)}.html`]: page('Boats', '<table class="collection-content"></table>'),
      [`Home/Boats ${hex(3)}.csv`]: 'Name,Status\nHeron,Done\n',
      [`Home/Boats/Heron ${hex(4)}.html`]: page('Heron', '<p>A boat</p>', properties),
    })
    expect(outcome).toMatchObject({ pages: 2, data_sources: 1, rows: 1, files: 1, left_out: [] })
    const files = await exported('Html')
    expect(Object.keys(files)).toEqual([
      'Home.md',
      'Home/Boats.csv',
      'Home/Boats/Heron.md',
      'Home/Inner.md',
      'Home/files/tide.png',
    ])
    expect(files['Home/Boats/Heron.md']).toBe('# Heron\n\nA boat\n')
    expect(String(files['Home.md']).split(/\n+/)).toEqual([
      '---',
      'icon: 🎯',
      '---',
      '# Home',
      '<callout icon="⚓" color="gray_bg">',
      '\tMind the tide',
      '</callout>',
      '<details>',
      '<summary>Costs</summary>',
      '\tBerth',
      '</details>',
      '## Plan {toggle="true"}',
      '\tInside',
      '- [x] Oil',
      '- One',
      '- Two',
      '![Low water](Home/files/tide.png)',
      '<page url="Home/Inner.md">[Inner](Home/Inner.md)</page>',
      '<columns>',
      '\t<column width_ratio="0.5">',
      '\t\tLeft',
      '\t</column>',
      '\t<column width_ratio="0.5">',
      '\t\tRight',
      '\t</column>',
      '</columns>',
      '```javascript',
      'let x < 1',
      '```',
      '$$',
      'a^2',
      '$$',
      '<table>',
      '\t<tr>',
      '\t\t<td>City</td>',
      '\t\t<td>Nights</td>',
      '\t</tr>',
      '</table>',
      '<span color="red">red</span> <span underline="true">under</span>',
      '<database url="Home/Boats.csv" inline="false">[Boats](Home/Boats.csv)</database>',
      '',
    ])
  })
})

describe('workspace import of row pages in HTML', () => {
  it("keeps properties that the row's CSV record lacks", async () => {
    const property = (name: string, value: string): string => `<tr><th>${name}</th><td>${value}</td></tr>`
    const rows = property('Since', '<time>@May 2, 2023</time>') + property('Berth', '14') + property('Hull', 'Oak')
    await importAs('Rows', {
      [`Boats ${hex(1)}.csv`]: 'Name,Since,Berth\nHeron,"May 2, 2023",\n',
      [`Boats/Heron ${hex(2)}.html`]: page('Heron', '<p>Text</p>', `<table class="properties"><tbody>${rows}</tbody></table>`),
    })
    const text = String((await exported('Rows'))['Boats/Heron.md'])
    expect(text.match(/(?<=<td>)[^<]+/g)).toEqual(['Berth', '14', 'Hull', 'Oak'])
  })
})

describe('workspace import of a vault', () => {
  it('uses the file name of a note as its title, whatever the note begins with', async () => {
    await importAs('Named', { '.obsidian/app.json': '{}', 'One.md': '# Uno\n\n[[Two]]\n', 'Two.md': '# Two\n\nText\n' })
    const files = await exported('Named')
    expect(files).toMatchObject({ 'One.md': '# One\n\n# Uno\n\n[Two](Two.md)\n', 'Two.md': '# Two\n\nText\n' })
  })

  it('resolves links by name, and lists what it omits', async () => {
    const outcome = await importAs('Vault', {
      'Index.md': '---\ntitle: All notes\ntags: [a]\n---\n[[Deep|the deep one]] and ![[tide.png]]\n',
      'Folder/Deep.md': 'Back to [[Index]]\n',
      'Files/tide.png': png,
      '.settings/app.json': '{}',
    })
    expect(lossesOf(outcome)).toEqual([
      '"tags" before the text: A page cannot store it.',
      'folder of 1 files: Its name begins with a dot: it is hidden.',
    ])
    const files = await exported('Vault')
    expect(files['All notes.md']).toBe('# All notes\n\n[the deep one](Folder/Deep.md) and\n\n![](All%20notes/files/tide.png)\n')
    expect(files['Folder/Deep.md']).toContain('(../All%20notes.md)')
  })
})
