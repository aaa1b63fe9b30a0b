import { posix } from 'node:path'
import { isLinkAddress } from '@workspace-service/server/domain/content/index.ts'
import { undashed } from '@workspace-service/server/kernel/ids.ts'
import { pathOfAddress } from '../archive_names.ts'
import type { StepContext } from '../import/import_context.ts'
import type { LinkTarget } from './link_target.ts'
import { noteNameIn } from './shown_address.ts'

export type TargetDeps = Pick<StepContext, 'tree' | 'files'> & { readonly archive: Pick<StepContext['archive'], 'has'> }

/** Resolves addresses of a page, and uploads the files that it uses. */
export async function targetsOf(
  context: TargetDeps,
  path: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, LinkTarget>> {
  const targets = new Map<string, LinkTarget>()
  for (const address of addresses) targets.set(address, await targetOf(context, path, address))
  return targets
}

async function targetOf(context: TargetDeps, from: string, written: string): Promise<LinkTarget> {
  const address = written.trim()
  if (address.startsWith('#')) return { kind: 'address', url: `/${undashed(context.tree.idOf(from))}${address}` }
  const path = archivePathOf(context, from, address)
  const record = path === undefined ? undefined : context.tree.kindOf(path)
  if (path !== undefined && record !== undefined) return recordAt(context, from, path, record)
  if (path !== undefined) {
    const upload = await context.files.upload(path)
    return upload ? { kind: 'file', upload, path } : { kind: 'lost', reason: 'The service did not accept the file.' }
  }
  if (isLinkAddress(address)) return { kind: 'address', url: address }
  const isElsewhere = /^[a-z][a-z0-9+.-]*:/i.test(address) && noteNameIn(address) === undefined
  return {
    kind: 'lost',
    reason: isElsewhere
      ? 'The service does not support links to addresses of this kind.'
      : 'The archive does not contain the file.',
  }
}

function recordAt({ tree }: TargetDeps, from: string, path: string, record: 'page' | 'database'): LinkTarget {
  const table = tree.tableOf(path)
  const databaseId = table === undefined ? undefined : tree.idOf(table)
  return { kind: 'record', record, path, id: tree.idOf(path), isChild: tree.parentOf(path) === from, databaseId }
}

/** The page, table or file of the archive that an address leads to. */
function archivePathOf({ tree, archive }: TargetDeps, from: string, address: string): string | undefined {
  const note = noteNameIn(address)
  if (note !== undefined) {
    const [name = ''] = note.split('#', 1)
    return name === '' ? from : tree.names.find(name)
  }
  // A leading slash means the top of the archive, as in links within repositories.
  const path = address.startsWith('/') ? pathOfAddress('top', address.slice(1)) : pathOfAddress(from, address)
  if (path === undefined) return undefined
  const bare = path.replace(/\/$/, '')
  const folderPage = `${bare}.md`
  const found = [path, bare, folderPage, posix.join(bare, 'README.md')].find(
    (name) => tree.kindOf(name) !== undefined || archive.has(name),
  )
  return found
}
