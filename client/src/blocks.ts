/** Builders of blocks to send. A text is a string, `text('…').bold()`, or a list of both. Other content has the names of the contract. */
import type {
  BlockRequestOneLevel,
  CalloutContentRequest,
  CodeBlockRequest,
  CodeLanguage,
  ColumnListBlockRequest,
  DividerBlockRequest,
  EquationBlockRequest,
  HeadingContentRequest,
  ParagraphContentRequest,
  RichTextRequest,
  TableBlockRequest,
  TableContentRequest,
  TextContentRequest,
  ToDoContentRequest,
} from '../../generated/types.ts'
import { richTextRequest, type RichTextInput } from './rich_text_input.ts'

/** Content besides the text. */
type Rest<Content> = Omit<Content, 'rich_text'>

/**
 * Content with the text. `Content` keeps the type of `children`, which decides how deep in a request the block may be. Builders infer it from
 * their arguments alone.
 */
type WithText<Content> = { readonly rich_text: RichTextRequest } & Content

type NoContent = Record<never, never>

export function paragraph<Content extends Rest<ParagraphContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly paragraph: WithText<NoInfer<Content>> } {
  return { paragraph: withText(text, content) }
}

export function heading1<Content extends Rest<HeadingContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly heading_1: WithText<NoInfer<Content>> } {
  return { heading_1: withText(text, content) }
}

export function heading2<Content extends Rest<HeadingContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly heading_2: WithText<NoInfer<Content>> } {
  return { heading_2: withText(text, content) }
}

export function heading3<Content extends Rest<HeadingContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly heading_3: WithText<NoInfer<Content>> } {
  return { heading_3: withText(text, content) }
}

export function bulleted<Content extends Rest<TextContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly bulleted_list_item: WithText<NoInfer<Content>> } {
  return { bulleted_list_item: withText(text, content) }
}

export function numbered<Content extends Rest<TextContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly numbered_list_item: WithText<NoInfer<Content>> } {
  return { numbered_list_item: withText(text, content) }
}

export function todo<Content extends Rest<ToDoContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly to_do: WithText<NoInfer<Content>> } {
  return { to_do: withText(text, content) }
}

export function toggle<Content extends Rest<TextContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly toggle: WithText<NoInfer<Content>> } {
  return { toggle: withText(text, content) }
}

export function quote<Content extends Rest<TextContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly quote: WithText<NoInfer<Content>> } {
  return { quote: withText(text, content) }
}

export function callout<Content extends Rest<CalloutContentRequest> = NoContent>(
  text: RichTextInput,
  content?: Content,
): { readonly callout: WithText<NoInfer<Content>> } {
  return { callout: withText(text, content) }
}

export function code(text: RichTextInput, language: CodeLanguage): CodeBlockRequest {
  return { code: { rich_text: richTextRequest(text), language } }
}

export function equation(expression: string): EquationBlockRequest {
  return { equation: { expression } }
}

export function divider(): DividerBlockRequest {
  return { divider: {} }
}

/** A table as wide as its first row. */
export function table(
  rows: readonly (readonly RichTextInput[])[],
  content: Omit<TableContentRequest, 'table_width' | 'children'> = {},
): TableBlockRequest {
  const children = rows.map((cells) => ({ table_row: { cells: cells.map(richTextRequest) } }))
  return { table: { table_width: rows[0]?.length ?? 0, ...content, children } }
}

/** Columns side by side, each a list of blocks. */
export function columns(...contents: readonly BlockRequestOneLevel[][]): ColumnListBlockRequest {
  return { column_list: { children: contents.map((children) => ({ column: { children } })) } }
}

function withText<Content extends object>(text: RichTextInput, content: Content | undefined): WithText<Content> {
  return Object.assign({ rich_text: richTextRequest(text) }, content)
}
