import type { ServiceFile } from '../../../generated/types.ts'

/**
 * A file in stored content: in an icon, a cover, a media block, a `files` property or an attachment. `gatherFacts` finds such
 * files anywhere in stored content, and `presentFile` presents them.
 */
export interface StoredFile {
  readonly type: 'file'
  /** The id of the upload. */
  readonly file: { readonly id: string }
}

/** @param id the id of an upload, as returned by `ReferenceList.addUpload` */
export function storedFile(id: string): StoredFile {
  return { type: 'file', file: { id } }
}

export function isStoredFile(value: object): value is StoredFile {
  return 'type' in value && value.type === 'file' && 'file' in value
}

export interface FileFact {
  readonly name: string
  readonly contentType: string
  /** The link, signed for this response. */
  readonly link: ServiceFile
}

/** A stored file in responses, with a link that is valid for one hour. */
export function presentFile(
  { file }: StoredFile,
  { files }: { readonly files: ReadonlyMap<string, FileFact> },
): { type: 'file'; file: ServiceFile } {
  const fact = files.get(file.id)
  // Files in stored content are never deleted.
  if (!fact) throw new Error(`file ${file.id} is missing`)
  return { type: 'file', file: fact.link }
}
