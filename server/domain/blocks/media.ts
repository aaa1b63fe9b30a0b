import type { RichTextItemRequest } from '../../../generated/types.ts'
import type { Facts } from '../rich_text/facts.ts'
import { readRichText } from '../rich_text/read.ts'
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

interface StoredMedia {
  readonly external: { readonly url: string }
  readonly caption: StoredRichText
  readonly name?: string
  /** The name was derived from the file and follows it. */
  readonly nameIsDefault?: boolean
}

/** Image, video, audio and pdf blocks: a file and a caption. */
export const media: ContentKind = mediaContent({ named: false })

/** A file block also has a name, by default that of the file. */
export const namedMedia: ContentKind = mediaContent({ named: true })

function mediaContent({ named }: { named: boolean }): ContentKind {
  const store = (stored: Partial<StoredMedia>, written: WrittenMedia, path: string, notes: WriteNotes): StoredContent => {
    if (written.file_upload) notes.references.add('file upload', written.file_upload.id, `${path}.file_upload.id`)
    const external = written.external ? { url: written.external.url } : (stored.external ?? { url: '' })
    const caption = written.caption ? storeRichText(written.caption, `${path}.caption`, notes.references) : (stored.caption ?? [])
    return { external, caption, ...(named ? nameOf(stored, written, external.url) : {}) }
  }
  return {
    create: (written, path, notes) => store({}, written as WrittenMedia, path, notes),
    update: (stored, written, path, notes) => store(stored as Partial<StoredMedia>, written as WrittenMedia, path, notes),
    read(stored, facts: Facts) {
      const { external, caption, name } = stored as unknown as StoredMedia
      return { type: 'external', external, caption: readRichText(caption, facts), ...(name === undefined ? {} : { name }) }
    },
  }
}

function nameOf(stored: Partial<StoredMedia>, written: WrittenMedia, url: string): Pick<StoredMedia, 'name' | 'nameIsDefault'> {
  const ofFile = lastPathSegment(url)
  if (written.name !== undefined) return { name: withExtension(written.name, ofFile) }
  if (stored.name !== undefined && !stored.nameIsDefault) return { name: stored.name }
  return { name: ofFile, nameIsDefault: true }
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
