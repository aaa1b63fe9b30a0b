import type { RichTextItemRequest } from '../../../generated/types.ts'
import { fileOfAddress } from '../../kernel/file_links.ts'
import { presentFile, storedFile } from '../file_uploads/stored.ts'
import type { FileUse } from '../file_uploads/types.ts'
import type { Facts } from '../rich_text/facts.ts'
import { presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/write.ts'
import type { StoredContent } from '../../store/blocks.ts'
import type { ContentKind, WriteNotes } from './fields.ts'

interface WrittenMedia {
  readonly external?: { readonly url: string }
  readonly file_upload?: { readonly id: string }
  readonly caption?: RichTextItemRequest[]
  readonly name?: string
}

type StoredSource =
  { readonly external: { readonly url: string } } | { readonly type: 'file'; readonly file: { readonly id: string } }

type StoredMedia = StoredSource & {
  readonly caption: StoredRichText
  /** As a caller gave it; without one, the block is called like its file. */
  readonly name?: string
  /** In blocks of earlier releases: the name was derived from the file. */
  readonly nameIsDefault?: boolean
}

/** Image, video, audio and pdf blocks: a file of one kind and a caption. */
export function media(use: Exclude<FileUse, 'any'>): ContentKind {
  return mediaContent(use, false)
}

/** A file block takes any file and also has a name, by default that of the file. */
export const namedMedia: ContentKind = mediaContent('any', true)

function mediaContent(use: FileUse, isNamed: boolean): ContentKind {
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
    read(stored, facts: Facts) {
      const content = stored as unknown as StoredMedia
      const caption = presentRichText(content.caption, facts)
      const name = isNamed ? { name: nameOf(content, facts) } : {}
      if ('file' in content) return { ...presentFile(content, facts), caption, ...name }
      return { type: 'external', external: content.external, caption, ...name }
    },
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
  try {
    return decodeURIComponent(segment) || 'file'
  } catch {
    return segment
  }
}

/** A name without an extension gets the one of the file: `plan` for `plan-2.txt` becomes `plan.txt`. */
function withExtension(name: string, fileName: string): string {
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(fileName)?.[0]
  return extension === undefined || /\.[A-Za-z0-9]{1,10}$/.test(name) ? name : name + extension
}
