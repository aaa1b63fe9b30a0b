import type { CloneTarget } from '@workspace-service/cloning/clone_target.ts'
import type { WriteSlot } from '@workspace-service/cloning/write_order.ts'
import type { RequestForm } from '@workspace-service/server/contract/request_form.ts'
import type { ArchiveManifest, OmittedContent } from '../manifest.ts'
import type { ArchiveReader } from '../archive_reader.ts'
import type { PageConverter } from '../foreign/page_converter.ts'
import type { ArchiveTree } from './archive_tree.ts'
import type { ArchiveFiles, UploadedFile } from './archive_files.ts'
import type { ContentCounts } from './content_counts.ts'
import type { ImportJournal } from './import_journal.ts'
import type { SerialQueue } from './serial_queue.ts'

/** The shared context of an import's steps. */
export interface ImportContext {
  readonly target: CloneTarget
  /** The address of the service, which texts may contain. */
  readonly origin: string
  readonly archive: ArchiveReader
  /** Undefined for an archive of another program. */
  readonly manifest: ArchiveManifest | undefined
  readonly tree: ArchiveTree
  readonly archiveFiles: ArchiveFiles
  /** For work on texts that need much memory. */
  readonly largeTexts: SerialQueue
  readonly converter: PageConverter
  readonly form: RequestForm
  readonly journal: ImportJournal
  /** The page that receives everything; undefined for the top of the workspace. */
  readonly rootId: string | undefined
  /** The id of a member of the workspace, by email address. */
  personOf(email: string): Promise<string | undefined>
  /** The id of a custom emoji of the workspace, by its name. */
  emojiOf(name: string): Promise<string | undefined>
  /** Whether the workspace has a page, row or data source with this id. */
  hasRecord(id: string): Promise<boolean>
  /** Called with the number of finished steps. */
  onSteps(count: number): void
}

/** The context of one step of an import. */
export interface StepContext extends ImportContext {
  readonly leftOut: OmittedContent[]
  readonly files: { upload(path: string): Promise<UploadedFile | undefined> }
  /** Counts the contents of a page's text, and how many of them have been created. */
  countContent(found: ContentCounts, made: ContentCounts): void
  /** The step's slot in the write order. */
  readonly slot: WriteSlot
  /** Whether a killed process may have run the step, or a part of it. */
  readonly isRedone: boolean
}
