import type { UploadedFile } from '../import/archive_files.ts'

/** What an address of a page of another program leads to. */
export type LinkTarget =
  | {
      readonly kind: 'record'
      readonly record: 'page' | 'database'
      readonly id: string
      readonly path: string
      readonly isChild: boolean
      /** The database in which a page is a row. */
      readonly databaseId: string | undefined
    }
  | { readonly kind: 'file'; readonly upload: UploadedFile; readonly path: string }
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'lost'; readonly reason: string }
