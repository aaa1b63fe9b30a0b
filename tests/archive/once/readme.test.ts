import MarkdownItParser from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { parseHtml } from '../../../archive/src/foreign/html_tree.ts'
import { blockCounts, htmlCounts } from '../../../archive/src/import/content_counts.ts'
import { blocksIn, converted, UPLOAD } from '../support/converted.ts'

const README = `
<p align="center">
  <a href="https://example.org"><img src="https://example.org/logo.png" alt="Logo" width="200"></a>
</p>

<h1 align="center">Tide tables</h1>

Under heading
=============

[![Build](https://example.org/build.svg)](https://example.org/build) [![](https://example.org/npm.svg)](https://example.org/npm)
![Plain](https://example.org/plain.png "Title") and text, then [a link](<https://example.org/a b>) and [one][ref], [two][], [three].

Second under heading
---

<details open><summary><b>More</b> about it</summary>

### Inside

- [x] done [deep](https://example.org/deep)
- [ ] open
  1. one
  2. two ![in item](https://example.org/item.png)

</details>

Name | Value [h](https://example.org/h)
---- | :---:
a | ![cell](https://example.org/cell.png)
b \\| c | **bold** <https://example.org/auto>

<table><tr><td><h3>Card</h3><img src="https://example.org/card.png"></td><td><a href="https://example.org/card">Card</a></td></tr></table>

~~~sh
# no heading [no link](https://example.org)
~~~

    # indented code

> [!WARNING]
> Mind the [rocks](https://example.org/rocks)

> plain quote

<aside>💡 A hint <a href="https://example.org/hint">here</a></aside>

A name<a name="anchor"></a> and [jump](#anchor), x<sub>2</sub> <kbd>Ctrl</kbd><br>next &amp; last

Costs $5 or US$6 and $x^2$.[^1]

[^1]: A note.

[ref]: https://example.org/ref
[two]: https://example.org/two
[three]: https://example.org/three 'Three'

##### Five #####
`

describe('a README from another program, when imported,', () => {
  it('keeps all headings, pictures and links that markdown-it finds', async () => {
    const wanted = htmlCounts(parseHtml(new MarkdownItParser({ html: true }).render(README)).root.children)
    expect(wanted).toEqual({ headings: 6, pictures: 7, links: 14 })
    const { text, losses } = await converted({ 'README.md': README })
    expect(losses).toEqual([])
    expect(blockCounts(blocksIn(text))).toEqual(wanted)
  })

  const [link, picture] = ['https://example.org/l', 'https://example.org/p.png']
  it.each([
    [
      'pictures in one link',
      `<a href="${link}"><img src="${picture}" alt="A"> <img src="${picture}" alt="B"></a>`,
      `![[A](${link})](${picture})\n![B](${picture})`,
    ],
    [
      'a picture and a text in one link',
      `<a href="${link}"><img src="${picture}" alt="A"><br>Text<br>more</a>`,
      `![A](${picture})\n[Text<br>more](${link})`,
    ],
    [
      'linked pictures on lines of one paragraph',
      `[![A](${picture})](${link})\n[![B](${picture})](${link})`,
      `![[A](${link})](${picture})\n![[B](${link})](${picture})`,
    ],
    ['a heading of a linked picture', `# [![A](${picture})](${link})\n\n# Second`, `# A\n![[A](${link})](${picture})\n# Second`],
    [
      'a caption below a linked picture',
      `<figure><a href="${link}"><img src="${picture}" alt="A"></a><figcaption>Caption</figcaption></figure>`,
      `![[A](${link}) Caption](${picture})`,
    ],
    ['a link in brackets', `arm64[[1]](${link})`, `arm64[\\[1\\]](${link})`],
    ['a link around a space', `a <a href="${link}"> </a>`, `a [${link}](${link})`],
    ['a footnote of several lines', `[^1]:\n    A note, see\n    [there](${link})`, `\\[\\^1\\]: A note, see [there](${link})`],
  ])('keeps all headings, pictures and links of %s', async (_what, markdown, expected) => {
    const { text, title, losses } = await converted({ 'README.md': `${markdown}\n` })
    expect({ text: title === 'A' ? `# A\n${text}` : text, losses }).toEqual({ text: expected, losses: [] })
    const wanted = htmlCounts(parseHtml(new MarkdownItParser({ html: true }).render(markdown)).root.children)
    expect(blockCounts(blocksIn(text))).toEqual(wanted)
  })

  it.each([
    [
      'text between single tildes',
      '~a **b**~ ~~c~~ ~/d and ~/e [f~g](https://example.org) ~h',
      '~~a **b**~~ ~~c~~ \\~/d and \\~/e [f\\~g](https://example.org) \\~h',
    ],
    [
      'an address without a scheme',
      'www.example.org/a_b, README.md',
      '[www.example.org/a_b](http://www.example.org/a_b), README.md',
    ],
    ['an email address', 'a@b.example', '[a@b.example](mailto:a@b.example)'],
    ['a fenced block of math', '```math\nx^2\n```', '$$\nx^2\n$$'],
    ['an empty heading at the start', '# \n\nText', 'Text'],
    [
      'an exported callout',
      'a\n<aside>\n💡 **b** [c](https://example.org)\n\n- d\n\n</aside>\ne',
      'a\n<callout icon="💡">\n\t**b** [c](https://example.org)\n\t- d\n</callout>\ne',
    ],
    [
      'a highlight with a link',
      '==a [b](https://example.org)== `==c==`',
      '<span color="yellow_bg">a </span>[<span color="yellow_bg">b</span>](https://example.org) `==c==`',
    ],
  ])('has its Markdown converted: %s', async (_what, markdown, expected) => {
    expect(await converted({ 'README.md': markdown })).toMatchObject({ text: expected, losses: [] })
  })

  it('keeps equations, and lists those that become code', async () => {
    const long = 'x_1'.repeat(334)
    const { text, losses } = await converted({
      'README.md': `$$\na\n\nb\n$$\n\n$$c$$\n\n$$ d\ne $$\n\n$$f$$ and $$g$$\n\n$$\n${long}\n$$\n\n$$\n$$\n\n$$ h\n`,
    })
    expect(text.split('\n')).toEqual([
      ...['$$', 'a', '', 'b', '$$', '$$', 'c', '$$', '$$', 'd', 'e', '$$', '$f$ and $g$', '```latex', long, '```'],
      '\\$\\$ h',
    ])
    expect(losses).toEqual([expect.stringMatching(/^equation "x_1.*: An equation has at most 1000 characters/)])
    const page = `<p>See <span class="katex"><annotation>${long}</annotation></span></p>`
    const html = await converted({ 'Page.html': page }, 'Page.html')
    expect(html.text).toBe(`See \`${long}\``)
    expect(html.losses).toHaveLength(1)
  })

  it('keeps the text of cells that are too long for a table', async () => {
    const links = Array.from({ length: 60 }, (_link, index) => `[${index}](${link}/${index})`).join(' ')
    const { text } = await converted({ 'README.md': `| a | b |\n|---|---|\n| c | ${links} |\n` })
    expect(text).toBe(`a\nb\nc\n${links}`)
  })

  it('omits drawings, and lists them', async () => {
    const drawing = '<svg><path/></svg>'
    const { text, losses } = await converted({ 'README.md': `<p>a ${drawing}</p><span class="icon">${drawing}</span>` })
    expect(text).toBe('a')
    expect(losses).toEqual(['<svg>: The service does not support drawings.'])
  })

  it("becomes Markdown in the service's dialect, and blocks of the matching types", async () => {
    const { text, id } = await converted({ 'README.md': README })
    expect(text.split('\n')).toEqual([
      '![[Logo](https://example.org)](https://example.org/logo.png)',
      '# Tide tables',
      '# Under heading',
      '![[Build](https://example.org/build)](https://example.org/build.svg)',
      '![[https://example.org/npm](https://example.org/npm)](https://example.org/npm.svg)',
      '![Plain](https://example.org/plain.png)',
      'and text, then [a link](https://example.org/a%20b) and [one](https://example.org/ref), [two](https://example.org/two), [three](https://example.org/three).',
      '## Second under heading',
      '<details>',
      '<summary>**More** about it</summary>',
      '\t### Inside',
      '\t- [x] done [deep](https://example.org/deep)',
      '\t- [ ] open',
      '\t\t1. one',
      '\t\t2. two',
      '\t\t\t![in item](https://example.org/item.png)',
      '</details>',
      '<table header-row="true">',
      '\t<tr>',
      '\t\t<td>Name</td>',
      '\t\t<td>Value [h](https://example.org/h)</td>',
      '\t</tr>',
      '\t<tr>',
      '\t\t<td>a</td>',
      '\t\t<td></td>',
      '\t</tr>',
      '\t<tr>',
      '\t\t<td>b \\| c</td>',
      '\t\t<td>**bold** [https://example.org/auto](https://example.org/auto)</td>',
      '\t</tr>',
      '</table>',
      '![cell](https://example.org/cell.png)',
      '### Card',
      '![](https://example.org/card.png)',
      '[Card](https://example.org/card)',
      '```shell',
      '# no heading [no link](https://example.org)',
      '```',
      '```plain text',
      '# indented code',
      '```',
      '<callout icon="⚠️">',
      '\tMind the [rocks](https://example.org/rocks)',
      '</callout>',
      '> plain quote',
      '<callout icon="💡">',
      '\tA hint [here](https://example.org/hint)',
      '</callout>',
      `A name and [jump](/${id}#anchor), x2 \`Ctrl\`<br>next & last`,
      'Costs \\$5 or US\\$6 and $x^2$.\\[\\^1\\]',
      '\\[\\^1\\]: A note.',
      '#### Five',
    ])
  })

  it('keeps the text of broken links and pictures, and lists them', async () => {
    const { text, losses } = await converted({
      'README.md':
        '![Plan](docs/plan.png) [guide](docs/guide.md) [chat](irc://example.org/x) [pic](data:text/html,x)\n\n<iframe src="x.html"></iframe>',
    })
    expect(text).toBe('Plan guide chat \\[pic\\](data:text/html,x)')
    expect(losses).toEqual([
      'image docs/plan.png: It was found neither in the archive nor on the web. Its description was kept.',
      'link to docs/guide.md: The archive does not contain the file. The text of the link was kept.',
      'link to irc://example.org/x: The service does not support links to addresses of this kind. The text of the link was kept.',
      'embedded page x.html: The page has no web address.',
    ])
  })

  it('is converted in linear time, even with deep, unclosed or very many elements', async () => {
    for (const part of [
      '<div>',
      '<b><i>',
      '<table><tr><td>',
      '> ',
      '[',
      '<a href="https://example.org">',
      '- ',
      '**a ',
      '$a$',
      '[[',
      '==a',
      '~a ',
      '==a `',
      'www.',
    ]) {
      const start = performance.now()
      const { text } = await converted({ 'README.md': `${part.repeat(20_000 / part.length)}end` })
      expect(text).toContain('end')
      expect(performance.now() - start, part).toBeLessThan(5_000)
    }
  })
})

describe('notes of an imported vault', () => {
  it('link to each other by name', async () => {
    const { text, idOf, losses } = await converted(
      {
        'Home.md': '[[Deep note|here]] [[deep note#Part]] [[Missing]] ==marked==\n\n![[tide.png|200]]\n\n> [!tip]- Title\n> Text',
        'a/b/Deep note.md': 'x',
        'files/tide.png': 'x',
      },
      'Home.md',
    )
    const deep = idOf('a/b/Deep note.md')
    expect(text.split('\n')).toEqual([
      `[here](/${deep}) [deep note#Part](/${deep}) \\[\\[Missing\\]\\] <span color="yellow_bg">marked</span>`,
      `![](file-upload://${UPLOAD})`,
      '<callout icon="💡">',
      '\tTitle<br>Text',
      '</callout>',
    ])
    expect(losses).toEqual(['link to Missing: The archive does not contain the file. The text of the link was kept.'])
  })

  it('replace embedded notes by links', async () => {
    const { text, idOf, losses } = await converted(
      { 'Home.md': 'a ![[Deep note]] ![x](Deep%20note.md) ![[gone.png]]', 'Deep note.md': 'x' },
      'Home.md',
    )
    const mention = `<mention-page url="${idOf('Deep note.md')}">Deep note</mention-page>`
    expect(text.replace(/(?<=url=")[^"]+/, (id) => id.replaceAll('-', ''))).toBe(
      `a ${mention} [x](/${idOf('Deep note.md')}) !\\[\\[gone.png\\]\\]`,
    )
    expect(losses).toEqual(['image gone.png: It was found neither in the archive nor on the web. Its description was kept.'])
  })
})
