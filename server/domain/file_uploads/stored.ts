import type { ServiceFile } from '../../../generated/types.ts'

/**
 * A file as stored content holds it: in an icon, a cover, a media block, a `files` property or an attachment. `gatherFacts` finds it
 * wherever it stands, and `presentFile` presents it.
 */
export interface StoredFile {
  readonly type: 'file'
  /** The id of the upload that it was made from. */
  readonly file: { readonly id: string }
}

/** @param id of an upload, as `ReferenceList.addUpload` returns it */
export function storedFile(id: string): StoredFile {
  return { type: 'file', file: { id } }
}

export function isStoredFile(value: object): value is StoredFile {
  return 'type' in value && value.type === 'file' && 'file' in value
}

/** A file that content refers to. */
export interface FileFact {
  readonly name: string
  readonly contentType: string
  /** Signed for this answer. */
  readonly link: ServiceFile
}

/** A stored file as answers show it: with a link that is valid for one hour. */
export function presentFile(
  { file }: StoredFile,
  { files }: { readonly files: ReadonlyMap<string, FileFact> },
): { type: 'file'; file: ServiceFile } {
  const fact = files.get(file.id)
  // Files that content was made from are never deleted.
  if (!fact) throw new Error(`file ${file.id} is missing`)
  return { type: 'file', file: fact.link }
}
