import type { FileLinks } from '../../kernel/file_links.ts'

/** The file settings of the deployment. */
export interface FileTerms {
  /** The maximum size of one file. */
  readonly bytesMax: number
  readonly links: FileLinks
  /** The word of the protocol's headers: icons of its host are those of the service. */
  readonly brand: string
}
