import type { CodeContent, CodeContentRequest } from '../../../../generated/types.ts'
import { FENCE } from '../markdown/shared/fences.ts'
import { addBlock, lineText, parseStateOf, type BlockRule } from '../markdown/parse/parse_state.ts'
import { markdownBlock, type BlockFields } from '../markdown/shared/markdown_block.ts'
import { plainText } from '../rich_text/present.ts'
import { splitPieces, splitText } from '../rich_text/split_text.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import { contentOf, plain, richText } from './content.ts'
import { drafted, loadsNothing, ownForm } from './markdown_forms.ts'
import { parseLanguage } from './parse_language.ts'

const parseFence: BlockRule = (state, line, endLine, silent) => {
  const [, , behindBackticks, , info = behindBackticks] = FENCE.exec(lineText(state, line)) ?? []
  const end = parseStateOf(state).spans.get(line)
  if (info === undefined || end === undefined) return false
  if (silent) return true
  const lastLine = end === -1 ? endLine : end
  const text = state.getLines(line + 1, lastLine, state.sCount[line] ?? 0, false)
  const fields = { language: parseLanguage(info), code: text }
  return addBlock(state, markdownBlock('code', { fields, line }), end === -1 ? endLine : end + 1)
}

export const code: BlockTypeDefinition<'code'> = {
  ...plainBlock,
  content: contentOf<CodeContentRequest, CodeContent>({ rich_text: richText, language: plain(), caption: richText }),
  children: noChildren,
  markdown: {
    ...ownForm('code', loadsNothing),
    present({ block: { content } }, { facts }) {
      const language = content['language'] as NonNullable<BlockFields['language']>
      const text = plainText((content['rich_text'] ?? []) as StoredRichText, facts)
      return markdownBlock('code', { fields: { language, code: text } })
    },
    write({ fields }, writer, depth) {
      const text = fields.code ?? ''
      const longest = (text.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2)
      const fence = '`'.repeat(longest + 1)
      writer.line(depth, fence + (fields.language ?? 'plain text'))
      if (text !== '') for (const line of text.split(/\r\n?|\n/)) writer.line(line === '' ? 0 : depth, line)
      writer.line(depth, fence)
    },
    line: { first: '`~', parse: parseFence },
    draft: drafted(({ fields: { code: text = '', language = 'plain text' } }, maker) =>
      splitPieces(splitText(text).map((content) => ({ text: { content } }))).map((rich_text) =>
        maker.create('code', { rich_text, language }),
      ),
    ),
  },
}
