import type { CloneTarget } from '../../cloning/clone_target.ts'
import type { RequestForm } from '../../contract/request_form.ts'
import type { ArchiveManifest, OmittedContent } from '../manifest.ts'
import type { ZipReader } from '../zip_reader.ts'
import type { ArchiveTree } from './archive_tree.ts'
import type { ArchiveFiles } from './archive_files.ts'

/** What the steps of an import share. */
export interface ImportParts {
  readonly target: CloneTarget
  /** The address of the service, for what its texts may name by it. */
  readonly origin: string
  readonly zip: ZipReader
  /** Undefined for an archive of another program. */
  readonly manifest: ArchiveManifest | undefined
  readonly tree: ArchiveTree
  readonly files: ArchiveFiles
  readonly form: RequestForm
  /** The page below which everything goes; undefined for the top of the workspace. */
  readonly rootId: string | undefined
  /** The id of a member of the workspace, by e-mail address. */
  personOf(email: string): Promise<string | undefined>
  /** The id of a custom emoji of the workspace, by its name. */
  emojiOf(name: string): Promise<string | undefined>
  readonly leftOut: OmittedContent[]
}
