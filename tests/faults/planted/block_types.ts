import { faultsIn, type Fault } from '../fault.ts'

const append = ['operations/blocks/appendBlockChildren.test.ts', 'operations/blocks/appendBlockChildren.bad_input.test.ts']
const types = ['operations/blocks/appendBlockChildren.block_types.test.ts']
const update = ['operations/blocks/updateBlock.test.ts', 'operations/blocks/updateBlock.bad_input.test.ts']
const forms = ['markdown/blocks.test.ts', 'markdown/lines.test.ts', 'markdown/blocks_read_only.test.ts']
const tags = ['operations/pages/updatePageMarkdown.tags.test.ts', 'operations/pages/updatePageMarkdown.test.ts']
const notes = ['operations/pages/retrievePageMarkdown.meeting_notes.test.ts', 'operations/pages/retrievePageMarkdown.test.ts']

/** Block types: their content, and how their lines are read and written. */
export const blockTypes: readonly Fault[] = [
  ...faultsIn('domain/content/block_types/content.ts', update, [
    ['an update resets omitted fields', 'const initial = isNew ? field.initial : undefined', 'const { initial } = field'],
    ['removing a color leaves no color', "store: (written) => written ?? 'default' }", 'store: (written) => written }'],
  ]),
  ...faultsIn('domain/content/block_types/callout.ts', types, [
    [
      'a callout without an icon gets no default',
      "icon<CalloutIconRequest>({ type: 'emoji', emoji: '💡' })",
      'icon<CalloutIconRequest>(null)',
    ],
  ]),
  ...faultsIn('domain/content/block_types/paragraph.ts', append, [
    ['any paragraph accepts an icon', "parent?.type !== 'tab')", 'parent === undefined)'],
  ]),
  ...faultsIn('domain/content/block_types/synced_block.ts', update, [
    [
      'a synced copy can change its original',
      'if (original(from) !== original(to))',
      'if (original(to) === undefined && original(from) !== undefined)',
    ],
  ]),
  ...faultsIn('domain/content/block_types/synced_block.ts', tags, [
    [
      'a copy of a synced copy stays a copy',
      "return records.get(id) === 'original' ? 'alone' : 'inside'",
      "return records.has(id) || id !== '' ? 'alone' : 'inside'",
    ],
  ]),
  ...faultsIn('domain/content/block_types/records.ts', tags, [
    [
      'a linked database becomes text',
      "if (record === 'database') return",
      "if (record === 'database' && text.length < 0) return",
    ],
  ]),
  ...faultsIn(
    'domain/content/block_types/media.ts',
    ['operations/blocks/appendBlockChildren.uploads.test.ts', ...types],
    [
      [
        'a file name gets a second extension',
        'return extension === undefined || /\\.[A-Za-z0-9]{1,10}$/.test(name) ? name : name + extension',
        'return extension === undefined ? name : name + extension',
      ],
      [
        'the name of an external file stays percent-encoded',
        "return percentDecoded(segment) || 'file'",
        "return segment || 'file'",
      ],
    ],
  ),
  ...faultsIn('domain/content/block_types/code.ts', forms, [
    ['a fence inside code ends the code', '(length, run) => Math.max(length, run.length), 2)', '(length) => length, 2)'],
    ['an unclosed code block loses its last line', 'end === -1 ? endLine : end\n', 'end === -1 ? endLine - 1 : end\n'],
  ]),
  ...faultsIn('domain/content/block_types/columns.ts', forms, [
    ['a column of full width has no ratio', 'ratio > 0 && ratio <= 1 ?', 'ratio > 0 && ratio < 1 ?'],
  ]),
  ...faultsIn('domain/content/block_types/columns.ts', forms, [
    ['two columns are merged', 'children.length < 2', 'children.length <= 2'],
  ]),
  ...faultsIn('domain/content/block_types/wrap_loose.ts', forms, [
    ['text after a column list joins the text before it', '      loose = undefined\n', ''],
  ]),
  ...faultsIn('domain/content/block_types/toggle.ts', forms, [
    [
      'a blank line before a summary makes it text',
      '          while (first < end && state.isEmpty(first)) first += 1\n',
      '          if (first > end) first = end\n',
    ],
  ]),
  ...faultsIn('domain/content/block_types/tab.ts', forms, [
    [
      'an empty group of tabs is created',
      "({ children }) => (children.length === 0 ? 'nothing' : 'block')",
      "({ children }) => (children.length < 0 ? 'nothing' : 'block')",
    ],
  ]),
  ...faultsIn('domain/content/block_types/table.ts', forms, [
    [
      'a pipe table in a list includes the line after the list',
      ' || (state.sCount[next] ?? 0) < state.blkIndent) break',
      ') break',
    ],
  ]),
  ...faultsIn(
    'domain/content/block_types/equation.ts',
    [...forms, ...notes],
    [
      [
        'an equation that contains its delimiter is written as an equation',
        '/(?:^|\\n)[ \\t]*\\$\\$[ \\t]*(?:\\n|$)/.test(expression) || ',
        '',
      ],
    ],
  ),
  ...faultsIn('domain/content/block_types/headings.ts', forms, [
    ['a heading of level five becomes level one', "- 1] ?? 'heading_4'", "- 1] ?? 'heading_1'"],
  ]),
  ...faultsIn('domain/content/block_types/list_items.ts', forms, [
    ['a capital X does not check a to-do', "{ checked: checkbox[1] !== ' ' }", "{ checked: checkbox[1] === 'x' }"],
    [
      'a closing bracket after a list number is lost',
      'bullet === undefined ? undefined : (CHECKBOX',
      '!text ? undefined : (CHECKBOX',
    ],
    [
      'a number inside a list restarts it',
      "number === undefined || parseStateOf(state).blocks.at(-1)?.type === 'numbered_list_item'",
      'number === undefined',
    ],
  ]),
  ...faultsIn('domain/content/block_types/meeting_notes.ts', notes, [
    [
      'an expanded transcript is also linked',
      'id === undefined || isShown ? undefined',
      'id === undefined || !parts ? undefined',
    ],
  ]),
  ...faultsIn('domain/content/block_types/parse_language.ts', forms, [
    ['a code language with attributes is plain text', 'name.split(/[\\s{:,]/, 1)', 'name.split(/\\s/, 1)'],
  ]),
  ...faultsIn('domain/content/block_types/parse_table_rows.ts', forms, [
    [
      'the color of a column precedes that of a row',
      'color ?? row.color ?? columns[index]',
      'color ?? columns[index] ?? row.color',
    ],
    ['a table of a hundred columns becomes text', 'width > COLUMNS_MAX', 'width >= COLUMNS_MAX'],
    ['a table may have any number of columns', 'width > COLUMNS_MAX', 'width > 10 * COLUMNS_MAX'],
    ['an escaped bar ends a cell', "if (inner[position] === '\\\\') position += 1\n    else if (inner", 'if (inner'],
  ]),
  ...faultsIn('domain/content/block_types/quote.ts', forms, [
    ['a quote without a space loses its first letter', "text[1] === ' ' ? 2 : 1", 'text.length > 1 ? 2 : 1'],
  ]),
]
