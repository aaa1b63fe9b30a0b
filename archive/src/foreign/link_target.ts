import type { UploadedFile } from '../import/archive_files.ts'

/** The target of an address in a page of another program. */
export type LinkTarget =
  | {
      readonly kind: 'record'
      readonly record: 'page' | 'database'
      readonly id: string
      readonly path: string
      readonly isChild: boolean
      /** The database that contains the page as a row. */
      readonly databaseId: string | undefined
    }
  | { readonly kind: 'file'; readonly upload: UploadedFile; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'lost'; readonly reason: string }
