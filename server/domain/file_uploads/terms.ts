import type { FileLinks } from '../../kernel/file_links.ts'

/** The file settings of the deployment. */
export interface FileTerms {
  /** The maximum size of one file. */
  readonly bytesMax: number
  readonly links: FileLinks
}
