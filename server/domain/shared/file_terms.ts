import type { FileLinks } from '../../kernel/file_links.ts'

/** The file settings of the deployment. */
export interface FileTerms {
  /** The maximum size of one file, in bytes. */
  readonly bytesMax: number
  readonly links: FileLinks
  /** The first word of the protocol's headers. Icons hosted under this brand are icons of the service. */
  readonly brand: string
}
