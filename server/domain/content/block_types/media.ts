import type { BlockType, RichTextItemRequest } from '../../../../generated/types.ts'
import { fileOfAddress } from '../../../kernel/file_links.ts'
import { percentDecoded } from '../../../kernel/urls.ts'
import { presentFile, storedFile, type FileUse } from '../../files/index.ts'
import type { Facts } from '../rich_text/facts.ts'
import { plainText, presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/store_rich_text.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import { uploadOf, isFileAddress, parseDestination } from '../markdown/shared/addresses.ts'
import { bracketPairs } from '../markdown/parse/code_spans.ts'
import { addBlock, lineText, parseBlockText, takeAttributes, type BlockRule } from '../markdown/parse/parse_state.ts'
import { markdownBlock } from '../markdown/shared/markdown_block.ts'
import { writeAttributes } from '../markdown/shared/tags.ts'
import { escapeAddress, writeText } from '../markdown/write/write_text.ts'
import { noChildren, plainBlock, type BlockTypeDefinition } from './block_type.ts'
import type { ContentRules, WriteNotes } from './content.ts'
import { drafted, loadsNothing, loneTag, ownForm } from './markdown_forms.ts'
import type { MarkdownRules } from './markdown_rules.ts'

interface WrittenMedia {
  readonly external?: { readonly url: string }
  readonly file_upload?: { readonly id: string }
  readonly caption?: RichTextItemRequest[]
  readonly name?: string
}

type StoredSource =
  | { readonly external: { readonly url: string } }
  | { readonly type: 'file'; readonly file: { readonly id: string } }

type StoredMedia = StoredSource & {
  readonly caption: StoredRichText
  /** The name that a caller has set. Without it, the block shows the name of its file. */
  readonly name?: string
  /** Stored by earlier releases: the name was derived from the file. */
  readonly nameIsDefault?: boolean
}

/** The content of media blocks: a file of one kind with a caption. File blocks accept any file and have a name, by default the file's. */
function mediaContent(use: FileUse, isNamed: boolean): ContentRules {
  const store = (
    stored: StoredMedia | undefined,
    written: WrittenMedia,
    path: string,
    { references, baseUrl }: WriteNotes,
  ): StoredContent => {
    const attach = (id: string, place: string): StoredSource => storedFile(references.addUpload(id, `${path}.${place}`, use))
    const hosted = written.external && fileOfAddress(written.external.url, baseUrl)?.id
    const source =
      hosted !== undefined && references.presentFiles.has(hosted)
        ? attach(hosted, 'external.url')
        : sourceOf(stored, written, (id) => attach(id, 'file_upload.id'))
    const caption = written.caption ? storeRichText(written.caption, `${path}.caption`, references) : (stored?.caption ?? [])
    const name = written.name ?? (stored?.nameIsDefault ? undefined : stored?.name)
    return { ...source, caption, ...(isNamed && name !== undefined ? { name } : {}) }
  }
  return {
    create: (written, path, notes) => store(undefined, written as WrittenMedia, path, notes),
    update: (stored, written, path, notes) => store(stored as unknown as StoredMedia, written as WrittenMedia, path, notes),
    present(stored, facts: Facts) {
      const content = stored as unknown as StoredMedia
      const caption = presentRichText(content.caption, facts)
      const name = isNamed ? { name: nameOf(content, facts) } : {}
      if ('file' in content) return { ...presentFile(content, facts), caption, ...name }
      return { type: 'external', external: content.external, caption, ...name }
    },
    text: (stored, facts) => plainText((stored as unknown as StoredMedia).caption, facts),
  }
}

function sourceOf(stored: StoredMedia | undefined, written: WrittenMedia, attach: (id: string) => StoredSource): StoredSource {
  if (written.file_upload) return attach(written.file_upload.id)
  if (written.external) return { external: { url: written.external.url } }
  if (stored && 'file' in stored) return storedFile(stored.file.id)
  return { external: stored?.external ?? { url: '' } }
}

function nameOf(content: StoredMedia, { files }: Facts): string {
  const ofFile = 'file' in content ? (files.get(content.file.id)?.name ?? 'file') : lastPathSegment(content.external.url)
  return content.name === undefined || content.nameIsDefault ? ofFile : withExtension(content.name, ofFile)
}

function lastPathSegment(url: string): string {
  const segment = URL.canParse(url) ? (new URL(url).pathname.split('/').at(-1) ?? '') : ''
  return percentDecoded(segment) || 'file'
}

/** A name without an extension gets the file's extension: `plan` for `plan-2.txt` becomes `plan.txt`. */
function withExtension(name: string, fileName: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(fileName)?.[0]
  return extension === undefined || /\.[A-Za-z0-9]{1,10}$/.test(name) ? name : name + extension
}

/** `![caption](address)` alone on its line. */
const parseImage: BlockRule = (state, line, _endLine, silent) => {
  const whole = lineText(state, line)
  const image = whole.startsWith('![') ? imageIn(takeAttributes(whole).text) : undefined
  if (!image || silent) return image !== undefined
  const { caption, source } = image
  return addBlock(state, markdownBlock('image', { text: parseBlockText(state, caption), fields: { source }, line }), line + 1)
}

function imageIn(text: string): { readonly caption: string; readonly source: string } | undefined {
  // Dollar signs in the caption and the address may look like an equation. If there is no image with that reading, they are plain text.
  for (const skipsEquations of [true, false]) {
    const close = bracketPairs(text, skipsEquations).get(1)
    const target = close === undefined || text[close + 1] !== '(' ? undefined : parseDestination(text, close + 1)
    if (target?.end === text.trimEnd().length && isFileAddress(target.url))
      return { caption: text.slice(2, close), source: target.url }
  }
  return undefined
}

/** `<video src="address">caption</video>` */
function mediaTag(type: BlockType): MarkdownRules['tags'][string] {
  return loneTag((state, { tag, line }, label) => {
    const source = tag.attributes.get('src') ?? ''
    return isFileAddress(source)
      ? markdownBlock(type, { text: parseBlockText(state, label), fields: { source }, line })
      : undefined
  })
}

type MediaForm = Pick<MarkdownRules, 'write'> & Partial<Pick<MarkdownRules, 'line' | 'tags'>>

function tagged(type: BlockType): MediaForm {
  return {
    write: ({ text, fields }, writer, depth) =>
      writer.line(depth, `<${type}${writeAttributes({ src: fields.source })}>${writeText(text)}</${type}>`),
    tags: { [type]: mediaTag(type) },
  }
}

const imageForm: MediaForm = {
  write: ({ text, fields }, writer, depth) => writer.line(depth, `![${writeText(text)}](${escapeAddress(fields.source ?? '')})`),
  line: { first: '!', parse: parseImage },
}

function media<Type extends BlockType>(
  type: Type,
  content: ContentRules,
  form: MediaForm = tagged(type),
): BlockTypeDefinition<Type> {
  return {
    ...plainBlock,
    content,
    children: noChildren,
    markdown: {
      ...ownForm(type, loadsNothing),
      present({ block }, view) {
        const presented = content.present(block.content, view.facts)
        const { external, file } = presented as Partial<Record<'external' | 'file', { readonly url: string }>>
        const fields = { source: external?.url ?? file?.url ?? '' }
        return markdownBlock(type, { text: view.text(block.content['caption']), fields })
      },
      ...form,
      draft: drafted(({ text, fields: { source = '' } }, maker) => {
        const [caption, hosted, upload] = [maker.whole(text, 'caption'), maker.hosted.media.get(source), uploadOf(source)]
        if (hosted) return [maker.update(type, hosted, { caption })]
        const file = upload === undefined ? { external: { url: source } } : { file_upload: { id: upload } }
        return [maker.create(type, { ...file, caption })]
      }),
    },
  }
}

export const image = media('image', mediaContent('image', false), imageForm)
export const video = media('video', mediaContent('video', false))
export const pdf = media('pdf', mediaContent('pdf', false))
export const audio = media('audio', mediaContent('audio', false))
export const file = media('file', mediaContent('any', true))
