import { readFileSync } from 'node:fs'
import type { WorkspaceClient } from '../../client/src/index.ts'
import { HttpsFiles } from '@workspace-service/server/outbound/https_files.ts'
import type { CloneTarget } from './clone_target.ts'
import { copyComments } from './copy_comments.ts'
import { copyEmojis, copyPeople } from './copy_people.ts'
import { addLaterProperties } from './copy_properties.ts'
import { FileCopier } from './file_copier.ts'
import { fillRecords } from './fill_records.ts'
import { listRecords } from './list_records.ts'
import { makeRecords } from './make_records.ts'
import type { CloneHead, ProgressFile } from './progress_file.ts'
import { RecordTree } from './record_tree.ts'
import { RequestForm, type SchemaDocument } from '@workspace-service/server/contract/request_form.ts'
import { SourceFiles } from './source_files.ts'
import { ValueRewriter } from './value_rewriter.ts'
import { ViewCopier } from './view_copier.ts'

export interface CloneProgress {
  /** @param count the records listed so far */
  listed(count: number): void
  /** @param share of the work that follows, from 0 to 1 */
  at(share: number): void
}

export interface CloneResult {
  readonly pages: number
  readonly databases: number
  readonly dataSources: number
  readonly people: number
}

export interface CloneEndpoints {
  readonly source: WorkspaceClient
  readonly target: CloneTarget
  readonly progress: ProgressFile
}

/**
 * Copies everything that a token sees on a server of this protocol into a local workspace. Finished steps are noted, so that an interrupted
 * clone can be resumed.
 *
 * Order: people → records → pages, databases, data sources under their ids → properties → values and blocks → views → comments
 */
export async function clone(
  { source, target, progress }: CloneEndpoints,
  head: CloneHead,
  report: CloneProgress,
): Promise<CloneResult> {
  await target.enter(head)
  const people = await copyPeople({ source, target, progress }, head)
  const emojis = await copyEmojis({ source, target, progress }, head)
  const tree = new RecordTree()
  const { bytesMax, importHosts } = target.files
  const elsewhere = new HttpsFiles({ allowedHosts: importHosts })
  const files = new FileCopier(new SourceFiles({ origin: new URL(head.source).origin, bytesMax, elsewhere }), target, progress)
  const rewriter = new ValueRewriter({
    personOf: (id) => people.get(id)?.id,
    hasEmoji: (id) => emojis.has(id),
    has: (id) => tree.has(id),
    upload: (file) => files.copy(file),
  })
  const parts = { source, target, progress, form: new RequestForm(contract()), rewriter, tree }
  await listRecords(parts, report.listed)
  // Every record is created once and filled once.
  let done = 0
  const oneMore = (): void => report.at((done += 1) / (2 * tree.size))
  await makeRecords(parts, oneMore)
  await addLaterProperties(parts)
  await fillRecords(parts, oneMore)
  await new ViewCopier(parts).copyAll()
  await copyComments(parts, (id) => people.get(id)?.name)
  return {
    pages: tree.countOf('page'),
    databases: tree.countOf('database'),
    dataSources: tree.countOf('data_source'),
    people: people.size,
  }
}

function contract(): SchemaDocument {
  return JSON.parse(readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'))
}
