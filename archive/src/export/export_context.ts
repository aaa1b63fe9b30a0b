import type { Scope } from '@workspace-service/server/domain/shared/index.ts'
import type { FileStorage } from '@workspace-service/server/store/files/storage.ts'
import type { OmittedContent } from '../manifest.ts'
import type { ZipWriter } from '../zip_writer.ts'
import type { RecordIndex } from './record_index.ts'

/** The shared context of an export's steps. */
export interface ExportContext {
  /** Sees the whole workspace in one snapshot. */
  readonly scope: Scope
  readonly storage: FileStorage
  readonly zip: ZipWriter
  readonly index: RecordIndex
  /** The service's address, which begins links to pages in texts; undefined if it is unknown. */
  readonly origin: string | undefined
  /** Content that the archive lacks. */
  readonly leftOut: OmittedContent[]
}

export type ReportLoss = (what: string, reason: string) => void
