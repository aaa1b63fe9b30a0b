import type { FileLinks } from '../../kernel/file_links.ts'

/** What one file may be, and how it is reached. The same for all requests of a deployment. */
export interface FileTerms {
  /** Bytes that one file may have. */
  readonly bytesMax: number
  readonly links: FileLinks
}
