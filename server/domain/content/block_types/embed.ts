import type { EmbedContent, RichTextItemRequest } from '../../../../generated/types.ts'
import { fileOfAddress } from '../../../kernel/file_links.ts'
import { invalid } from '../../shared/index.ts'
import { presentFile, storedFile, type StoredFile } from '../../files/index.ts'
import { plainText, presentRichText } from '../rich_text/present.ts'
import type { StoredRichText } from '../rich_text/stored.ts'
import { storeRichText } from '../rich_text/store_rich_text.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import type { ContentRules, WriteNotes } from './content.ts'

interface WrittenEmbed {
  readonly url?: string
  readonly file_upload?: { readonly id: string }
  readonly file?: { readonly url: string }
  readonly caption?: RichTextItemRequest[]
}

type StoredSource = { readonly url: string } | StoredFile
type StoredEmbed = StoredSource & { readonly caption?: StoredRichText }

/** A link or an HTML file with a caption. */
export const embedContent: ContentRules = {
  create: (written, path, notes) => store(undefined, written as WrittenEmbed, path, notes),
  update: (stored, written, path, notes) => store(stored as unknown as StoredEmbed, written as WrittenEmbed, path, notes),
  present(stored, facts): EmbedContent {
    const content = stored as unknown as StoredEmbed
    const caption = presentRichText(content.caption ?? [], facts)
    if ('url' in content) return { url: content.url, caption }
    const shown = presentFile(content, facts)
    return { url: shown.file.url, caption, ...shown }
  },
  text: (stored, facts) => plainText((stored as unknown as StoredEmbed).caption ?? [], facts),
}

function store(stored: StoredEmbed | undefined, written: WrittenEmbed, path: string, notes: WriteNotes): StoredContent {
  const { references } = notes
  const caption = written.caption ? storeRichText(written.caption, `${path}.caption`, references) : (stored?.caption ?? [])
  return { ...sourceOf(stored, written, path, notes), caption }
}

function sourceOf(
  stored: StoredEmbed | undefined,
  { url, file_upload: upload, file }: WrittenEmbed,
  path: string,
  { references, baseUrl }: WriteNotes,
): StoredSource {
  if (upload) return storedFile(references.addUpload(upload.id, `${path}.file_upload.id`, 'html'))
  const held = stored && 'file' in stored ? stored.file.id : undefined
  const isHeld = (address: string): boolean => held !== undefined && fileOfAddress(address, baseUrl)?.id === held
  if (file && !isHeld(file.url)) throw invalid(`${path}.file.url`, 'should be the link of the file that the embed shows')
  if (!file && url !== undefined && !isHeld(url)) return { url }
  return held === undefined ? { url: stored && 'url' in stored ? stored.url : '' } : storedFile(held)
}
