import { describe, expect, it } from 'vitest'
import {
  blockUrl,
  code,
  column,
  columns,
  divider,
  equation,
  first,
  inlineEquation,
  lines,
  media,
  pageUrl,
  tabs,
} from './support/blocks.ts'
import { contentOf } from './support/content.ts'
import { block, contentOfMarkdown, markdownOf, paragraph, rich, row, table, text, treesOf } from './support/dialect.ts'
import { BASE_URL, known, type Tree } from './support/trees.ts'

/** Each kind of block in the service's Markdown, in both directions. */
const bothWays: [what: string, blocks: Tree[], markdown: string][] = [
  ['paragraph', [paragraph('Ebb'), paragraph('Flow')], 'Ebb\nFlow'],
  ['paragraph with a color', [block('paragraph', 'Ebb', { color: 'blue_background' })], 'Ebb {color="blue_bg"}'],
  ['paragraph with children', [paragraph('Ebb', paragraph('lower', paragraph('lowest')))], 'Ebb\n\tlower\n\t\tlowest'],
  ['empty paragraph', [paragraph(''), paragraph('x')], '<empty-block/>\nx'],
  ['empty paragraph with a color', [block('paragraph', '', { color: 'red' })], ' {color="red"}'],
  ['empty paragraph with children', [paragraph('', paragraph('x'))], '<empty-block/>\n\tx'],
  ...([1, 2, 3, 4] as const).map((level): [string, Tree[], string] => [
    `heading_${level}`,
    [block(`heading_${level}`, 'Tides', { is_toggleable: false })],
    `${'#'.repeat(level)} Tides`,
  ]),
  ['heading with a color', [block('heading_2', 'Tides', { is_toggleable: false, color: 'green' })], '## Tides {color="green"}'],
  ['empty heading', [block('heading_1', '', { is_toggleable: false })], '#'],
  [
    'toggle heading',
    [block('heading_2', 'Tides', { is_toggleable: true, color: 'red' }, [paragraph('High')])],
    '## Tides {toggle="true" color="red"}\n\tHigh',
  ],
  ['bulleted_list_item', [block('bulleted_list_item', 'Rope', {}, [block('bulleted_list_item', 'thin')])], '- Rope\n\t- thin'],
  ['bulleted_list_item with a color', [block('bulleted_list_item', 'Rope', { color: 'pink' })], '- Rope {color="pink"}'],
  ['numbered_list_item counts up', [block('numbered_list_item', 'a'), block('numbered_list_item', 'b')], '1. a\n2. b'],
  [
    'a new numbered list restarts',
    [block('numbered_list_item', 'a'), paragraph('x'), block('numbered_list_item', 'b')],
    '1. a\nx\n1. b',
  ],
  [
    'numbered_list_item with another start',
    [block('numbered_list_item', 'a', { list_start_index: 7 }), block('numbered_list_item', 'b')],
    '7. a\n8. b',
  ],
  [
    'to_do',
    [block('to_do', 'Fuel', { checked: false }), block('to_do', 'Oil', { checked: true }, [paragraph('SAE 30')])],
    '- [ ] Fuel\n- [x] Oil\n\tSAE 30',
  ],
  ['to_do with a color', [block('to_do', 'Fuel', { checked: true, color: 'gray' })], '- [x] Fuel {color="gray"}'],
  [
    'quote',
    [block('quote', 'Bring water\nand a hat', { color: 'brown' }, [paragraph('x')])],
    '> Bring water<br>and a hat {color="brown"}\n\tx',
  ],
  ['adjacent quotes', [block('quote', 'a'), block('quote', 'b')], '> a\n> b'],
  [
    'toggle',
    [block('toggle', 'Costs', { color: 'orange' }, [paragraph('Ferry'), block('bulleted_list_item', 'x')])],
    lines('<details color="orange">', '<summary>Costs</summary>', '\tFerry', '\t- x', '</details>'),
  ],
  ['empty toggle', [block('toggle', '')], lines('<details>', '<summary></summary>', '</details>')],
  [
    'callout',
    [block('callout', 'Bring line', { icon: { type: 'emoji', emoji: '🎯' }, color: 'blue_background' }, [paragraph('and oil')])],
    lines('<callout icon="🎯" color="blue_bg">', '\tBring line', '\tand oil', '</callout>'),
  ],
  ['callout without icon', [block('callout', 'x', { icon: null })], lines('<callout>', '\tx', '</callout>')],
  [
    'callout with a custom emoji',
    [block('callout', 'x', { icon: { type: 'custom_emoji', custom_emoji: { id: known.emoji } } })],
    lines('<callout icon=":rope_coil:">', '\tx', '</callout>'),
  ],
  [
    'callout with an image',
    [block('callout', 'x', { icon: { type: 'external', external: { url: 'https://example.org/i.png' } } })],
    lines('<callout icon="https://example.org/i.png">', '\tx', '</callout>'),
  ],
  [
    'callout with a native icon',
    [block('callout', 'x', { icon: { type: 'icon', icon: { name: 'anchor', color: 'red' } } })],
    lines(`<callout icon="${BASE_URL}/icons/anchor_red.svg">`, '\tx', '</callout>'),
  ],
  [
    'callout without text',
    [block('callout', '', { icon: null }, [block('bulleted_list_item', 'x')])],
    lines('<callout>', '\t<empty-block/>', '\t- x', '</callout>'),
  ],
  ['code', [code('let a\n\n\tlet b', 'javascript')], lines('```javascript', 'let a', '', '\tlet b', '```')],
  [
    'code is literal',
    [code('**x** \\* <br> $a$ </details>', 'plain text')],
    lines('```plain text', '**x** \\* <br> $a$ </details>', '```'),
  ],
  ['code with a fence in it', [code('```js\nx\n```', 'markdown')], lines('````markdown', '```js', 'x', '```', '````')],
  ['code below another block', [paragraph('a', code('if\n\tx', 'python'))], lines('a', '\t```python', '\tif', '\t\tx', '\t```')],
  ['empty code', [code('')], lines('```plain text', '```')],
  ['equation', [equation('a^2 + b_{2}\n= c')], lines('$$', 'a^2 + b_{2}', '= c', '$$')],
  [
    'equation with dollars after a line separator, which does not end a line',
    [equation('a\u2028$$')],
    lines('$$', 'a\u2028$$', '$$'),
  ],
  ['divider', [divider, paragraph('x')], '---\nx'],
  [
    'table',
    [table([row('Item', 'Price'), row('Ticket', '')], { has_column_header: true })],
    lines(
      '<table header-row="true">',
      '\t<tr>',
      '\t\t<td>Item</td>',
      '\t\t<td>Price</td>',
      '\t</tr>',
      '\t<tr>',
      '\t\t<td>Ticket</td>',
      '\t\t<td></td>',
      '\t</tr>',
      '</table>',
    ),
  ],
  [
    'table with both heads',
    [table([row('a')], { has_column_header: true, has_row_header: true })],
    lines('<table header-row="true" header-column="true">', '\t<tr>', '\t\t<td>a</td>', '\t</tr>', '</table>'),
  ],
  [
    'marks and code in cells',
    [table([row([text('a', { bold: true })], [text('</td>', { code: true })])])],
    lines('<table>', '\t<tr>', '\t\t<td>**a**</td>', '\t\t<td>`</td>`</td>', '\t</tr>', '</table>'),
  ],
  [
    'column_list',
    [columns(column([paragraph('a')], 0.4), column([]))],
    lines('<columns>', '\t<column width_ratio="0.4">', '\t\ta', '\t</column>', '\t<column>', '\t</column>', '</columns>'),
  ],
  ['image', [media('image', 'https://example.org/a_(b).png', 'Dock plan')], '![Dock plan](https://example.org/a_(b).png)'],
  [
    'images with brackets inside the equations of their captions',
    [
      media('image', 'https://example.org/a.png', [inlineEquation('}'), inlineEquation('['), text(']')]),
      media('image', 'https://example.org/a.png', [inlineEquation('](/help)')]),
    ],
    '![$}$$[$\\]](https://example.org/a.png)\n![$](/help)$](https://example.org/a.png)',
  ],
  [
    'video',
    [media('video', 'https://example.org/v.mp4?a=1&b="2"', 'Launch')],
    '<video src="https://example.org/v.mp4?a=1&amp;b=&quot;2&quot;">Launch</video>',
  ],
  ['audio', [media('audio', 'https://example.org/a.mp3')], '<audio src="https://example.org/a.mp3"></audio>'],
  ['file', [media('file', 'https://example.org/tides.csv', 'Tides')], '<file src="https://example.org/tides.csv">Tides</file>'],
  ['pdf', [media('pdf', 'https://example.org/m.pdf')], '<pdf src="https://example.org/m.pdf"></pdf>'],
  [
    'link_to_page to a page',
    [{ type: 'link_to_page', content: { type: 'page_id', page_id: known.page }, children: [] }],
    `<page url="${pageUrl(known.page)}">Launch \\[plan\\] \\</mention-page\\></page>`,
  ],
  [
    'link_to_page to a database',
    [{ type: 'link_to_page', content: { type: 'database_id', database_id: known.database }, children: [] }],
    `<database url="${pageUrl(known.database)}" inline="false">Repair \\<log\\></database>`,
  ],
  [
    'table_of_contents',
    [{ type: 'table_of_contents', content: { color: 'gray' }, children: [] }],
    '<table_of_contents color="gray"/>',
  ],
  [
    'synced_block copy',
    [{ type: 'synced_block', content: { synced_from: { type: 'block_id', block_id: known.original } }, children: [] }],
    lines(
      `<synced_block_reference url="${pageUrl(known.page)}#${known.original.replaceAll('-', '')}">`,
      '</synced_block_reference>',
    ),
  ],
  [
    'tab',
    [
      tabs(
        block('paragraph', 'Harbour', { icon: { type: 'emoji', emoji: '⚓' } }, [paragraph('Berth 14')]),
        paragraph('Weather'),
      ),
    ],
    lines(
      '<tabs>',
      '\t<tab icon="⚓">',
      '\t\tHarbour',
      '\t\tBerth 14',
      '\t</tab>',
      '\t<tab>',
      '\t\tWeather',
      '\t</tab>',
      '</tabs>',
    ),
  ],
]

describe('Markdown round trip of a block:', () => {
  it.each(bothWays)('%s', (_what, blocks, markdown) => {
    expect(markdownOf(blocks)).toBe(markdown)
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf(blocks))
  })

  it('a start number within a list is written as the number that readers see', () => {
    const starts = [7, 3, undefined].map((start) =>
      block('numbered_list_item', 'a', start === undefined ? {} : { list_start_index: start }),
    )
    expect(markdownOf([...starts, paragraph('x'), ...starts.slice(1)])).toBe('7. a\n8. a\n9. a\nx\n3. a\n4. a')
  })

  it('an empty group of tabs is written, and omitted when that Markdown is read', () => {
    const markdown = markdownOf([tabs(), paragraph('x')])
    expect(markdown).toBe('<tabs>\n</tabs>\nx')
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([paragraph('x')]))
  })

  it('an original synced block is written with its id; Markdown without the id creates a new one', () => {
    const original: Tree = { type: 'synced_block', content: { synced_from: null }, children: [paragraph('x')] }
    const markdown = markdownOf([original])
    expect(markdown).toBe(lines(`<synced_block url="${blockUrl(first)}">`, '\tx', '</synced_block>'))
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([original]))
    expect(contentOfMarkdown(lines('<synced_block>', '\tx', '</synced_block>'))).toStrictEqual(contentOf([original]))
  })

  it.each<[string, Tree]>([
    ['bookmark', { type: 'bookmark', content: { url: 'https://example.org', caption: [] }, children: [] }],
    ['embed', { type: 'embed', content: { url: 'https://example.org', caption: [] }, children: [] }],
    ['link_preview', { type: 'link_preview', content: { url: 'https://example.org' }, children: [] }],
    ['breadcrumb', { type: 'breadcrumb', content: {}, children: [] }],
    ['template', { type: 'template', content: { rich_text: rich('x') }, children: [paragraph('y')] }],
    ['unsupported', { type: 'unsupported', content: { block_type: 'form' }, children: [] }],
    ['link_to_page', { type: 'link_to_page', content: { type: 'comment_id', comment_id: known.user }, children: [] }],
    ['equation', equation('a\n$$\nb')],
  ])('a %s without a Markdown form is written as its address, and omitted when that Markdown is read', (type, tree) => {
    const markdown = markdownOf([tree])
    expect(markdown).toBe(`<unknown url="${blockUrl(first)}" alt="${type}"/>`)
    expect(treesOf(markdown)).toStrictEqual([])
  })

  it('meeting notes are written with title, summary, notes and the location of the transcript, and cannot be created', () => {
    const ids = {
      summary_block_id: '00000000-0000-4000-8000-000000000003',
      notes_block_id: '00000000-0000-4000-8000-000000000005',
      transcript_block_id: '00000000-0000-4000-8000-000000000007',
    }
    const notes: Tree = {
      type: 'meeting_notes',
      content: { title: rich('Briefing'), status: 'notes_ready', children: ids },
      children: [paragraph('Summary', paragraph('Launch at 11')), paragraph('Notes', paragraph('Bring fenders'))],
    }
    const markdown = markdownOf([notes])
    expect(markdown).toBe(
      lines(
        '<meeting-notes>',
        '\tBriefing',
        '\t<summary>',
        '\t\tLaunch at 11',
        '\t</summary>',
        '\t<notes>',
        '\t\tBring fenders',
        '\t</notes>',
        `\t<transcript url="${blockUrl(ids.transcript_block_id)}"/>`,
        '</meeting-notes>',
      ),
    )
    expect(treesOf(markdown)).toStrictEqual([])
  })
})
