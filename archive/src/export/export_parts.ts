import type { Scope } from '@workspace-service/server/domain/shared/index.ts'
import type { FileStorage } from '@workspace-service/server/store/files/storage.ts'
import type { OmittedContent } from '../manifest.ts'
import type { ZipWriter } from '../zip_writer.ts'
import type { RecordIndex } from './record_index.ts'

/** What the steps of an export share. */
export interface ExportParts {
  /** Sees the whole workspace, as of one moment. */
  readonly scope: Scope
  readonly storage: FileStorage
  readonly zip: ZipWriter
  readonly index: RecordIndex
  /** The address of the service, which links to pages in texts begin with; undefined if it is not known. */
  readonly origin: string | undefined
  /** What the archive lacks. */
  readonly leftOut: OmittedContent[]
}

export type Lose = (what: string, reason: string) => void
