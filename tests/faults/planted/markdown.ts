import { faultsIn, type Fault } from '../fault.ts'

const inline = ['markdown/inline.test.ts']
const readOnly = ['markdown/blocks_read_only.test.ts']
const lines = ['markdown/lines.test.ts', 'markdown/blocks.test.ts']
const create = ['operations/pages/createPage.markdown.test.ts']
const tags = ['operations/pages/updatePageMarkdown.tags.test.ts']
const update = ['operations/pages/updatePageMarkdown.test.ts', 'operations/pages/updatePageMarkdown.parts.test.ts']
const long = ['operations/pages/updatePageMarkdown.long_texts.test.ts']
const retrieve = ['operations/pages/retrievePageMarkdown.test.ts']

/** Pages as Markdown: reading, writing and changing. */
export const markdown: readonly Fault[] = [
  ...faultsIn('domain/content/markdown/shared/escapes.ts', inline, [
    [
      'an underscore after a word begins emphasis',
      'WORD_END.test(text.slice(Math.max(0, start - 2), start)) && WORD_START',
      'WORD_END.test(text.slice(Math.max(0, start - 2), start)) || WORD_START',
    ],
    ['a trailing space is lost', 'atEnd && length > 1 ?', 'atEnd && length < 1 ?'],
  ]),
  ...faultsIn('domain/content/markdown/shared/escapes.ts', lines, [
    ['a text that begins with a number becomes an item', "written.replace(NUMBER_START, '$1\\\\$2')", 'written'],
  ]),
  ...faultsIn('domain/content/markdown/shared/equations.ts', inline, [
    ['a price and a list of prices are an equation', "/\\s/.test(source[at - 1] ?? ' ') || ", ''],
    ['a price and another are an equation', ' || /\\d/.test(after)', ''],
    ['a price before two dollar signs is an equation', ' || isHalf', ''],
  ]),
  ...faultsIn('domain/content/markdown/shared/equations.ts', readOnly, [
    [
      'a surrogate pair counts as two characters in an equation',
      ' && [...expression].length > EXPRESSION_LENGTH_MAX) return undefined',
      ') return undefined',
    ],
  ]),
  ...faultsIn('domain/content/block_types/equation.ts', readOnly, [
    [
      'a surrogate pair counts as two characters in a block equation',
      '[...expression].length > EXPRESSION_LENGTH_MAX',
      'expression.length > EXPRESSION_LENGTH_MAX',
    ],
  ]),
  ...faultsIn('domain/content/markdown/shared/addresses.ts', inline, [
    ['a path can lead to another host', "(url.startsWith('/') && !url.startsWith('//'))", "url.startsWith('/')"],
  ]),
  ...faultsIn('domain/content/markdown/shared/date_attributes.ts', inline, [
    [
      'an end of a date range without a day is lost',
      "attributes.get('end') ?? (endTime === undefined ? undefined : start)",
      "attributes.get('end')",
    ],
  ]),
  ...faultsIn(
    'domain/content/markdown/shared/tags.ts',
    [...tags, ...lines],
    [
      [
        'the address of a block names its page',
        "ID.exec(fragment ?? path.split('?', 1)[0] ?? '')",
        "ID.exec(path.split('?', 1)[0] ?? fragment ?? '')",
      ],
    ],
  ),
  ...faultsIn('domain/content/markdown/parse/bare_addresses.ts', inline, [
    ['a surrounding parenthesis becomes part of an address', "last === ')' && unopened > 0", "last === ')' && unopened < 0"],
    ['an exclamation mark becomes part of the address before it', '".,;:!?\'_~$"', '".,;:?\'_~$"'],
  ]),
  ...faultsIn('domain/content/markdown/parse/delimiter_runs.ts', inline, [
    ['an underscore inside a word ends emphasis', 'touchesBefore && !(isWord && WORD_AFTER.test(after))', 'touchesBefore'],
    ['text in four asterisks is bold', 'run.canOpen && rest > 0 && rest <= 3', 'run.canOpen && rest > 0 && rest <= 4'],
  ]),
  ...faultsIn('domain/content/markdown/parse/inline_rules.ts', inline, [
    ['a time of day is parsed as an emoji', '  if (isClockTime(src, pos)) return false\n', ''],
    ['a link may contain a link', 'state.linkLevel > 0 ? undefined : bracketEnd(state, open)', 'bracketEnd(state, open)'],
  ]),
  ...faultsIn('domain/content/markdown/parse/parse_state.ts', lines, [
    ['an escaped attribute list colors its block', 'start === -1 || isEscaped(line, start) ?', 'start === -1 ?'],
  ]),
  ...faultsIn('domain/content/markdown/parse/draft_markdown.ts', create, [
    [
      'content nested below the title is lost',
      'drafts: [...before, ...(own.at(-1)?.children ?? []), ...after]',
      'drafts: [...before, ...after]',
    ],
  ]),
  ...faultsIn(
    'domain/content/markdown/parse/drafter.ts',
    [...create, ...long],
    [
      [
        'children of a split paragraph go to its first part',
        'index === contents.length - 1 ? children',
        'index === 0 ? children',
      ],
    ],
  ),
  ...faultsIn(
    'domain/content/markdown/parse/gather_references.ts',
    [...create, ...tags],
    [['a mention in a table is a text', '    for (const cell of fields.cells ?? []) gatherInline(cell, wanted)\n', '']],
  ),
  ...faultsIn('domain/content/markdown/parse/resolve_references.ts', tags, [
    [
      'a synced copy counts as an original',
      "block.type === 'synced_block' && originalOf(block) === undefined",
      "block.type === 'synced_block' && originalOf(block) !== id",
    ],
  ]),
  ...faultsIn(
    'domain/content/markdown/parse/to_rich_text.ts',
    [...tags, ...create],
    [
      [
        'a mention of a data source becomes text',
        "inline.kind === 'data_source' ? resolved",
        "inline.kind === 'page' ? resolved",
      ],
    ],
  ),
  ...faultsIn('domain/content/markdown/write/write_text.ts', inline, [
    ['code that ends with a backtick loses it', "text.startsWith('`') || text.endsWith('`') ||", "text.startsWith('`') ||"],
    [
      'an exclamation mark before a link makes it an image',
      "piece.link !== before?.link && end.endsWith('!')",
      "piece.link !== before?.link && end === '!!'",
    ],
    ['an address whose parentheses do not match ends early', '(depth -= 1) < 0) return false', '(depth -= 1) < -1) return false'],
  ]),
  ...faultsIn('domain/content/markdown/write/write_blocks.ts', lines, [
    [
      'a start number inside a list is written although the parser ignores it',
      'number = number === undefined ? (fields.start ?? 1) : number + 1',
      'number = fields.start ?? (number ?? 0) + 1',
    ],
    [
      'a second list continues the numbering',
      '    if (!blockTypes[type].isNumbered) number = undefined\n    else number',
      '    if (blockTypes[type].isNumbered) number',
    ],
  ]),
  ...faultsIn('domain/content/markdown/write/load_tree.ts', retrieve, [
    [
      'a synced copy inside its original is expanded without end',
      '?.hasChildren && !isInside(node, original) ?',
      '?.hasChildren ?',
    ],
  ]),
  ...faultsIn('domain/content/markdown/write/load_tree.ts', retrieve, [
    [
      'a page that a member does not see is shown by name',
      '    for (const node of targets) node.isMissing ||= !visible.has(node.block.id)\n',
      '',
    ],
  ]),
  ...faultsIn('domain/content/markdown/write/render_block.ts', retrieve, [
    [
      'a page with omitted blocks is not marked as truncated',
      'truncated: missing.length > 0 || tree.hasMore',
      'truncated: tree.hasMore',
    ],
  ]),
  ...faultsIn('domain/content/markdown/page_markdown.ts', update, [
    [
      'a caller without read_content receives the whole page',
      "return actor.capabilities.has('read_content')",
      "return actor.capabilities.has('update_content')",
    ],
  ]),
  ...faultsIn('domain/content/markdown/diff/diff_blocks.ts', tags, [
    ['removing a link to a page deletes the page', 'if (homeless.size === 0) return', 'if (homeless.size >= 0) return'],
  ]),
  ...faultsIn('domain/content/markdown/diff/diff_insertion.ts', update, [
    ['inserting after a cell splits its table', '  while (path && takesPartsOnly(path.at(-2))) path.pop()\n', ''],
  ]),
  ...faultsIn('domain/content/markdown/update/edit_text.ts', update, [
    [
      'a text across two portions is not found',
      'text.slice(start, portionEnd + wanted.length - 1)',
      'text.slice(start, portionEnd)',
    ],
  ]),
  ...faultsIn('domain/content/markdown/update/edit_text.ts', update, [
    [
      'the end of a selection may be inside its start',
      'firstPlace(text, last, start + first.length)',
      'firstPlace(text, last, start)',
    ],
  ]),
  ...faultsIn(
    'domain/content/markdown/update/plan_blocks.ts',
    [...long, ...update],
    [['children of a split paragraph are created for each part', 'index < contents.length - 1 ? [] : below', 'below']],
  ),
  ...faultsIn('domain/content/markdown/update/require_no_loss.ts', tags, [
    [
      'a page inside a deleted block is deleted without consent',
      '    for (const child of node.children) if (child.block.parentId === id) visit(child)\n',
      '',
    ],
  ]),
  ...faultsIn('domain/content/markdown/update/require_no_loss.ts', tags, [
    [
      'an update deletes pages that are hidden from the caller',
      'difference.removed.filter(({ block }) => !closed.has(block.id))',
      'difference.removed.filter(({ block }) => closed.size >= 0 && block)',
    ],
  ]),
]
