import { describe, expect, it } from 'vitest'
import type { Tree } from './support/trees.ts'
import { contentOf } from './support/content.ts'
import { block, contentOfMarkdown, markdownOf, paragraph, text, treesOf } from './support/dialect.ts'

const divider: Tree = { type: 'divider', content: {}, children: [] }
const heading = (content: string): Tree => block('heading_1', content, { is_toggleable: false })

/** How a text is split into lines, and the meaning of each line. */
describe('lines of Markdown:', () => {
  it.each<[string, string, Tree[]]>([
    ['one block per line, no soft wrap', 'a\nb', [paragraph('a'), paragraph('b')]],
    ['blank lines are dropped', '\n\na\n\n \t\nb\n\n', [paragraph('a'), paragraph('b')]],
    ['CRLF and CR read as LF', 'a\r\nb\rc', [paragraph('a'), paragraph('b'), paragraph('c')]],
    ['an empty text has no content', '', []],
    ['four spaces equal a tab', 'a\n    b\n        c', [paragraph('a', paragraph('b', paragraph('c')))]],
    [
      'lines with too much indentation move up',
      'a\n\t\t\tb\n\tc\n# d\n\te',
      [paragraph('a', paragraph('b'), paragraph('c')), heading('d'), paragraph('e')],
    ],
    ['dividers have no children', '---\n\ta\n\t\tb', [divider, paragraph('a', paragraph('b'))]],
    ['the space before attributes may be missing', 'a{color="red"}', [block('paragraph', 'a', { color: 'red' })]],
    [
      'attributes in any order',
      '# a {color="red" toggle="true"}\n\tb',
      [block('heading_1', 'a', { is_toggleable: true, color: 'red' }, [paragraph('b')])],
    ],
    ['toggle="false" is not a toggle', '# a {toggle="false"}', [heading('a')]],
    [
      'unknown keys and values leave attributes as text',
      'a {size="9"}\na {color="mauve"}\na {toggle="true"}\na \\{color="red"}',
      [paragraph('a {size="9"}'), paragraph('a {color="mauve"}'), paragraph('a {toggle="true"}'), paragraph('a {color="red"}')],
    ],
    ['tags that are not closed are text', '<callout>\na', [paragraph('<callout>'), paragraph('a')]],
    ['tags that were not opened are text', 'a\n</callout>', [paragraph('a'), paragraph('</callout>')]],
    ['unknown tags are text', '<aside>\na\n</aside>', [paragraph('<aside>'), paragraph('a'), paragraph('</aside>')]],
    [
      'tags inside code are text',
      '<callout>\n\t```\n\t</callout>\n\t```\n</callout>',
      [
        block('callout', '', { icon: null }, [
          { type: 'code', content: { rich_text: [text('</callout>')], language: 'plain text', caption: [] }, children: [] },
        ]),
      ],
    ],
    [
      'crossing tags are closed by the outer end tag',
      '<callout>\n<details>\n</callout>\n</details>',
      [block('callout', '<details>', { icon: null }), paragraph('</details>')],
    ],
    ['trailing spaces are dropped', 'a   \n# b  ', [paragraph('a'), heading('b')]],
    [
      'a lone marker is an empty block',
      '#\n-\n1.\n>\n- [ ]',
      [
        heading(''),
        block('bulleted_list_item', ''),
        block('numbered_list_item', ''),
        block('quote', ''),
        block('to_do', '', { checked: false }),
      ],
    ],
    ['markers need a space', '#a\n-b\n1.c', [paragraph('#a'), paragraph('-b'), paragraph('1.c')]],
  ])('%s', (_what, markdown, blocks) => {
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf(blocks))
  })

  it.each([
    ['# a', '\\# a'],
    ['#', '\\#'],
    ['- a', '\\- a'],
    ['+ a', '\\+ a'],
    ['> a', '\\> a'],
    ['12. a', '12\\. a'],
    ['::: callout', '\\::: callout'],
    ['---', '\\---'],
    ['a # b - c', 'a # b - c'],
    ['#tag', '#tag'],
    ['-1', '-1'],
    ['1.5', '1.5'],
    ['* a', '\\* a'],
    ['```', '\\`\\`\\`'],
    ['$$', '\\$\\$'],
    ['<callout>', '\\<callout\\>'],
    ['| a |', '\\| a \\|'],
    ['![a](b)', '!\\[a\\](b)'],
    ['\\ ~ ` $ [ ] < > { } | ^', '\\\\ \\~ \\` \\$ \\[ \\] \\< \\> \\{ \\} \\| \\^'],
    ['_a_ snake_case', '\\_a\\_ snake_case'],
    ['https://example.org', 'https\\://example.org'],
    [':rope_coil: at 12:30:45', '\\:rope_coil: at 12:30:45'],
    [' a ', '\\ a\\ '],
    ['\ta', '\\\ta'],
    [' ', '\\ '],
    ['a\\nb', 'a\\\\nb'],
    ['a {color="red"}', 'a \\{color="red"\\}'],
  ])('the text %j is written as %j and reads back unchanged', (content, markdown) => {
    expect(markdownOf([paragraph(content)])).toBe(markdown)
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([paragraph(content)]))
    expect(contentOf(treesOf(`- ${markdown}`))).toStrictEqual(contentOf([block('bulleted_list_item', content)]))
  })

  it('children of a block are indented by tabs', () => {
    const list = block('bulleted_list_item', 'a', {}, [
      block('to_do', 'b', { checked: false }, [block('toggle', 'c', {}, [divider])]),
    ])
    expect(markdownOf([list])).toBe('- a\n\t- [ ] b\n\t\t<details>\n\t\t<summary>c</summary>\n\t\t\t---\n\t\t</details>')
  })
})

/** Texts that look like Markdown which the service reads but never writes. */
describe('text that looks like another block reads back as text:', () => {
  it.each<[string, Tree, string]>([
    ['a number with a parenthesis', paragraph('1) Cast off'), '1\\) Cast off'],
    ['hyphens with blanks', paragraph('- - -'), '\\- - -'],
    ['asterisks with blanks', paragraph('* * *'), '\\* \\* \\*'],
    ['underscores with blanks', paragraph('_ _ _'), '\\_ \\_ \\_'],
    ['a fence of tildes', paragraph('~~~ js'), '\\~\\~\\~ js'],
    ['marks at the end of a heading', heading('Issue ##'), '# Issue #\\#'],
    ['marks alone in a heading', heading('#'), '# \\#'],
    ['a mark at the end of a word', heading('In C#'), '# In C#'],
    [
      'an address in angle brackets',
      paragraph('<mailto:a@b.example> <a@b.example>'),
      '\\<mailto:a@b.example\\> \\<a@b.example\\>',
    ],
  ])('%s', (_what, tree, markdown) => {
    expect(markdownOf([tree])).toBe(markdown)
    expect(contentOfMarkdown(markdown)).toStrictEqual(contentOf([tree]))
  })
})
