import { parseTag, idOfAddress, writeAttributes } from '../markdown/shared/tags.ts'
import { lineText } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { blockAddress } from '../markdown/shared/record_addresses.ts'
import { escapeLineStart } from '../markdown/shared/escapes.ts'
import { writeText } from '../markdown/write/write_text.ts'
import { plainText, presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { emptyContent } from './content.ts'
import { comparedByName, draftsNothing, enclosingTag, loadsWhole, ownForm, writeContainer } from './markdown_forms.ts'

const PARTS = ['summary', 'notes', 'transcript'] as const

/** The id of the child that holds a part of the notes. */
function idOfPart(content: StoredContent, part: (typeof PARTS)[number]): string | undefined {
  return ((content['children'] ?? {}) as Readonly<Record<string, string | undefined>>)[`${part}_block_id`]
}

export const meetingNotes: BlockTypeDefinition<'meeting_notes'> = {
  ...plainBlock,
  content: {
    ...emptyContent,
    present: (stored, facts) =>
      stored['title'] === undefined ? stored : { ...stored, title: presentRichText(stored['title'] as StoredRichText, facts) },
    text: (stored, facts) => plainText((stored['title'] ?? []) as StoredRichText, facts),
  },
  // The service creates the parts; callers cannot add children.
  children: noChildren,
  markdown: {
    ...ownForm('meeting_notes', { ...loadsWhole, transcript: (content) => idOfPart(content, 'transcript') }),
    present({ block: { content, pageId }, children }, view) {
      const parts = PARTS.flatMap((alt) => {
        const part = children.find(({ block }) => block.id === idOfPart(content, alt))
        return part ? [markdownBlock('paragraph', { fields: { alt }, children: view.list(part.children) })] : []
      })
      const id = idOfPart(content, 'transcript')
      const isShown = parts.some(({ fields }) => fields.alt === 'transcript')
      const transcript = id === undefined || isShown ? undefined : blockAddress({ id, pageId }, view.facts.baseUrl)
      const fields = { ...(id === undefined ? {} : { id }), ...(transcript === undefined ? {} : { transcript }) }
      return markdownBlock('meeting_notes', { text: view.text(content['title']), fields, children: parts })
    },
    write({ text, fields, children }, writer, depth) {
      writer.line(depth, '<meeting-notes>')
      if (text.length > 0) writer.line(depth + 1, escapeLineStart(writeText(text)))
      for (const part of children) writeContainer(part.fields.alt ?? 'notes', '', part, writer, depth + 1)
      if (fields.transcript !== undefined) writer.line(depth + 1, `<transcript${writeAttributes({ url: fields.transcript })}/>`)
      writer.line(depth, '</meeting-notes>')
    },
    tags: {
      'meeting-notes': enclosingTag((state, { line }, end) => {
        for (let at = line + 1; at < end; at += 1) {
          const text = lineText(state, at)
          const tag = text.startsWith('<transcript') ? parseTag(text) : undefined
          const id = idOfAddress(tag?.attributes.get('url'))
          if (id !== undefined) return markdownBlock('meeting_notes', { fields: { id }, line })
        }
        return markdownBlock('meeting_notes', { line })
      }),
    },
    // If the text contains the transcript, the tag does not contain its id.
    compare: { ...comparedByName, isFoundUnnamed: true },
    draft: draftsNothing,
  },
}
