import { describe, expect, it } from 'vitest'
import { code, column, columns, divider, equation, lines, media } from './support/blocks.ts'
import { contentOf } from './support/content.ts'
import { block, contentOfMarkdown, paragraph, row, table, text, treesOf } from './support/dialect.ts'
import { known, type Tree } from './support/trees.ts'

/** Markdown that is read but never written. */
const readOnly: [what: string, markdown: string, blocks: Tree[]][] = [
  [
    '##### and ######',
    '##### a\n###### b',
    [block('heading_4', 'a', { is_toggleable: false }), block('heading_4', 'b', { is_toggleable: false })],
  ],
  ['other bullets', '* a\n+ b', [block('bulleted_list_item', 'a'), block('bulleted_list_item', 'b')]],
  [
    'any numbers',
    '3. a\n9. b\n1. c',
    [
      block('numbered_list_item', 'a', { list_start_index: 3 }),
      block('numbered_list_item', 'b'),
      block('numbered_list_item', 'c'),
    ],
  ],
  ['[X]', '- [X] a', [block('to_do', 'a', { checked: true })]],
  ['a parenthesis after a number', '1. [x] a', [block('numbered_list_item', '[x] a')]],
  [
    'a heading in a list item',
    '- ## a',
    [block('bulleted_list_item', '', {}, [block('heading_2', 'a', { is_toggleable: false })])],
  ],
  [
    'a list in a list item',
    '1. - a\n\tb',
    [block('numbered_list_item', '', {}, [block('bulleted_list_item', 'a'), paragraph('b')])],
  ],
  ['a quote in a to-do', '- [ ] > a', [block('to_do', '', { checked: false }, [block('quote', 'a')])]],
  [
    'a callout in a list item',
    '- <callout>\n\ta\n\t</callout>',
    [block('bulleted_list_item', '', {}, [block('callout', 'a', { icon: null })])],
  ],
  ['a fence in a list item', '- ```js\n  x\n  ```', [block('bulleted_list_item', '', {}, [code('x', 'javascript')])]],
  [
    'two spaces of indentation below a bullet',
    '- a\n  - b',
    [block('bulleted_list_item', 'a', {}, [block('bulleted_list_item', 'b')])],
  ],
  [
    'the ::: callout',
    '::: callout {icon="🎯"}\nhello\nworld\n:::',
    [block('callout', 'hello', { icon: { type: 'emoji', emoji: '🎯' } }, [paragraph('world')])],
  ],
  [
    'short names of languages',
    '```ts\nx\n```\n```py\n```\n```sh\n```\n```yml\n```',
    [code('x', 'typescript'), code('', 'python'), code('', 'shell'), code('', 'yaml')],
  ],
  ['an unknown language', '```klingon\nx\n```\n```\ny\n```', [code('x'), code('y')]],
  ['a language in capitals, with more words', '```JavaScript title="a.js"\nx\n```', [code('x', 'javascript')]],
  ['a language directly followed by attributes', '```js{1,3}\nx\n```', [code('x', 'javascript')]],
  ['an unclosed fence', '```js\nx\ny', [code('x\ny', 'javascript')]],
  ['an equation on one line', '$$ a + b $$', [equation('a + b')]],
  ['longer dividers', '-----\n***\n___', [divider, divider, divider]],
  [
    'a pipe table',
    '| a | **b** |\n|---|:-:|\n| c \\| d | e |\n| f |',
    [table([row('a', [text('b', { bold: true })]), row('c | d', 'e'), row('f', '')], { has_column_header: true })],
  ],
  [
    'a pipe table in a list item, which ends with the indentation',
    '- | a |\n  |---|\n  | b |\n| c |',
    [block('bulleted_list_item', '', {}, [table([row('a'), row('b')], { has_column_header: true })]), paragraph('| c |')],
  ],
  [
    'a pipe table below a list item, which ends with the indentation',
    '1. a\n\t| b |\n\t|---|\n| c |',
    [block('numbered_list_item', 'a', {}, [table([row('b')], { has_column_header: true })]), paragraph('| c |')],
  ],
  [
    'colors of tables: cell before row before column',
    lines(
      '<table fit-page-width="true">',
      '<colgroup><col color="gray"><col></colgroup>',
      '<tr color="red"><td>a</td><td color="blue">b</td></tr>',
      '<tr><td>c</td><td>d</td></tr>',
      '</table>',
    ),
    [table([row([text('a', { color: 'red' })], [text('b', { color: 'blue' })]), row([text('c', { color: 'gray' })], 'd')])],
  ],
  [
    'colors of cells do not change colored text',
    '<table><tr><td color="red">a <span color="blue">b</span></td></tr></table>',
    [table([row([text('a ', { color: 'red' }), text('b', { color: 'blue' })])])],
  ],
  [
    'rows of different length',
    '<table>\n<tr><td>a</td></tr>\n<tr><td>b</td><td>c</td></tr>\n</table>',
    [table([row('a', ''), row('b', 'c')])],
  ],
  ['cells over several lines', '<table>\n<tr>\n<td>\na\nb\n</td>\n</tr>\n</table>', [table([row('a\nb')])]],
  [
    'content of tags that is not indented',
    '<details>\n<summary>a</summary>\nb\n</details>',
    [block('toggle', 'a', {}, [paragraph('b')])],
  ],
  ['a summary after its tag', '<details><summary>a</summary>\n\nb\n\n</details>', [block('toggle', 'a', {}, [paragraph('b')])]],
  [
    'blank lines before a summary',
    '<details>\n\n \n<summary>a</summary>\nb\n</details>',
    [block('toggle', 'a', {}, [paragraph('b')])],
  ],
  [
    'an image with attributes',
    '![a](https://example.org/a.png) {color="red"}',
    [media('image', 'https://example.org/a.png', 'a')],
  ],
  ['an image with a title', '![a](<https://example.org/a.png> "Title")', [media('image', 'https://example.org/a.png', 'a')]],
  [
    'an image with dollar signs that look like the ends of an equation',
    '![costs $5](https://example.org/a$b.png)',
    [media('image', 'https://example.org/a$b.png', 'costs $5')],
  ],
  ['an image without an address', '![a](a.png)', [paragraph('![a](a.png)')]],
  ['self-closing media', '<video src="https://example.org/v.mp4"/>', [media('video', 'https://example.org/v.mp4')]],
  [
    'a bare id as address',
    `<page url="${known.page}"/>`,
    [{ type: 'link_to_page', content: { type: 'page_id', page_id: known.page }, children: [] }],
  ],
  ['a hidden page', `<page url="${known.user}">Log</page>`, [paragraph('Log')]],
  ['a page without an address', '<page>Log</page>', [paragraph('<page>Log</page>')]],
  [
    'a copy of a missing original',
    `<synced_block_reference url="${known.user}">\n\ta\n</synced_block_reference>`,
    [paragraph('a')],
  ],
  ['a single column', '<columns>\n<column>\na\n</column>\n</columns>', [paragraph('a')]],
  ['columns without a column', '<columns>\n</columns>\nx', [paragraph('x')]],
  [
    'loose lines between columns',
    '<columns>\na\n<column>\nb\n</column>\n</columns>',
    [columns(column([paragraph('a')]), column([paragraph('b')]))],
  ],
  [
    'loose lines after columns, each in its own column',
    lines('<columns>', 'a', '<column>', 'b', '</column>', 'c', 'd', '<column>', 'e', '</column>', 'f', '</columns>'),
    [
      columns(
        column([paragraph('a')]),
        column([paragraph('b')]),
        column([paragraph('c'), paragraph('d')]),
        column([paragraph('e')]),
        column([paragraph('f')]),
      ),
    ],
  ],
  ['a column outside of columns', '<column>\na\n</column>', [paragraph('<column>'), paragraph('a'), paragraph('</column>')]],
  ['tabs without items', '<tabs>\n</tabs>\nx', [paragraph('x')]],
  ['a table without rows', '<table>\n</table>', []],
]

describe('Markdown blocks that are read, but written in another form:', () => {
  it.each(readOnly)('%s', (_what, markdown, blocks) => {
    expect(contentOfMarkdown(markdown), JSON.stringify(treesOf(markdown))).toStrictEqual(contentOf(blocks))
  })

  it('keeps only the first number of a list', () => {
    const starts = treesOf('3. a\n9. b\n1. c').map(({ content }) => content['list_start_index'])
    expect(starts).toStrictEqual([3, undefined, undefined])
  })

  it('reads a table of at most a hundred columns', () => {
    const pipes = (count: number): string => `${'|a'.repeat(count)}|\n${'|-'.repeat(count)}|`
    const tags = (count: number): string => `<table><tr>${'<td>a</td>'.repeat(count)}</tr></table>`
    for (const written of [pipes, tags]) {
      expect(treesOf(written(100))).toMatchObject([{ type: 'table', content: { table_width: 100 } }])
      expect(treesOf(written(101)).map(({ type }) => type)).not.toContain('table')
    }
  })

  it('reads an equation of at most a thousand characters, counting surrogate pairs as one', () => {
    for (const written of [(expression: string) => `$$\n${expression}\n$$`, (expression: string) => `$$${expression}$$`]) {
      expect(treesOf(written('😀'.repeat(1_000)))).toStrictEqual([equation('😀'.repeat(1_000))])
      expect(treesOf(written('😀'.repeat(1_001))).map(({ type }) => type)).not.toContain('equation')
    }
    const inline = (markdown: string): unknown => treesOf(markdown)[0]?.content['rich_text']
    expect(inline(`a $${'😀'.repeat(1_000)}$`)).toMatchObject([{ type: 'text' }, { type: 'equation' }])
    expect(inline(`a $${'😀'.repeat(1_001)}$`)).toMatchObject([{ type: 'text' }])
  })

  it('reads a file with the id of an upload as its address', () => {
    const id = 'a7c5e3b1-9d8f-4e6a-8c2b-1f0e3d5c7b9a'
    expect(() => treesOf(`<pdf src="file-upload://${id}">Plan</pdf>`)).not.toThrow()
    expect(treesOf(`![x](file-upload://${id})`)).toMatchObject([{ type: 'image' }])
  })

  it('splits a text that is too long for one block or one item, and refuses one that is too long for a cell', () => {
    const words = Array.from({ length: 120 }, (_word, index) => (index % 2 === 0 ? `**b${index}**` : ` t${index} `)).join('')
    const [one, two, ...more] = treesOf(`- ${words}\n\tchild`)
    expect(more).toStrictEqual([])
    expect(one?.content['rich_text']).toHaveLength(100)
    expect(one?.children).toStrictEqual([])
    expect(two?.content['rich_text']).toHaveLength(20)
    expect(two?.children).toHaveLength(1)
    const [long] = treesOf('😀'.repeat(4500))
    expect(
      (long?.content['rich_text'] as { text: { content: string } }[]).map((item) => [...item.text.content].length),
    ).toStrictEqual([2000, 2000, 500])
    expect(() => treesOf(`<table><tr><td>${words}</td></tr></table>`)).toThrow(
      /body\.markdown should contain no cell of more than 100 pieces/,
    )
  })
})
