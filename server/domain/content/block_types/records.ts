import { parseBlockText } from '../markdown/parse/parse_state.ts'
import { recordAddress } from '../markdown/shared/record_addresses.ts'
import { idOfAddress, writeAttributes } from '../markdown/shared/tags.ts'
import { markdownBlock, type MarkdownBlock } from '../markdown/shared/markdown_block.ts'
import { iconWord } from '../markdown/write/icon_word.ts'
import { writeText } from '../markdown/write/write_text.ts'
import { noChildren, anyChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { titleContent } from './content.ts'
import { comparedByName, drafted, loadsChildren, loadsNothing, loneTag } from './markdown_forms.ts'
import type { ContentMaker, MarkdownRules, MarkdownView, NamedRecord, NewContent } from './markdown_rules.ts'

const TYPES = { page: 'child_page', database: 'child_database' } as const

/** The line of a page or database, which is the same for a child and for a link. */
export function presentRecord({ kind, id }: NamedRecord, { facts }: MarkdownView): MarkdownBlock {
  const database = kind === 'database' ? facts.databases.get(id) : undefined
  const icon = iconWord(database?.icon ?? null, facts.baseUrl)
  const fields = {
    id,
    url: recordAddress(id, facts.baseUrl),
    ...(icon === undefined ? {} : { icon }),
    ...(database?.inline ? { inline: true } : {}),
  }
  return markdownBlock(TYPES[kind], { text: [{ type: 'text', text: facts.titles.get(id) || 'Untitled', outcomes: {} }], fields })
}

/** The Markdown form of a page or database, without its load rules. */
function recordForm(kind: NamedRecord['kind']): Omit<MarkdownRules<never>, 'load'> {
  const type = TYPES[kind]
  return {
    readsAs: () => type,
    names: ({ id }) => ({ kind, id }),
    present: ({ block: { id } }, view) => presentRecord({ kind, id }, view),
    write({ text, fields: { url, inline, icon } }, writer, depth) {
      const attributes = { url, ...(kind === 'database' ? { inline: String(inline ?? false), icon } : {}) }
      writer.line(depth, `<${kind}${writeAttributes(attributes)}>${writeText(text)}</${kind}>`)
    },
    line: null,
    tags: {
      [kind]: loneTag((state, { tag, line }, label) => {
        const id = idOfAddress(tag.attributes.get('url'))
        return id === undefined ? undefined : markdownBlock(type, { text: parseBlockText(state, label), fields: { id }, line })
      }),
    },
    compare: comparedByName,
    draft: { ...drafted(draftLink), namesRecord: true },
  }
}

/** Creates a link to a page or database that is not a child of this page. If the record is not visible, its name becomes plain text. */
function draftLink({ text, fields: { id } }: MarkdownBlock, maker: ContentMaker): NewContent[] {
  const record = maker.resolved.records.get(id ?? '')
  if (record === 'page') return [maker.create('link_to_page', { page_id: id })]
  if (record === 'database') return [maker.create('link_to_page', { database_id: id })]
  return [maker.create('paragraph', { rich_text: maker.whole(text, 'name') })]
}

export const childPage: BlockTypeDefinition<'child_page'> = {
  ...plainBlock,
  content: titleContent,
  children: anyChildren,
  record: 'page',
  markdown: { ...recordForm('page'), load: { ...loadsChildren, children: 'as root' } },
}

export const childDatabase: BlockTypeDefinition<'child_database'> = {
  ...plainBlock,
  content: titleContent,
  // The rows stored below a database are its data sources.
  children: { ...noChildren, areListed: false },
  record: 'database',
  takesPlaceholder: ({ title }) => !Array.isArray(title) || title.length === 0,
  markdown: { ...recordForm('database'), load: loadsNothing },
}
