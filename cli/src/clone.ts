import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { WorkspaceClient } from '../../client/src/index.ts'
import type { CloneEndpoints, CloneResult } from '@workspace-service/cloning/clone.ts'
import type { CloneSettings } from '@workspace-service/cloning/begin_clone.ts'
import type { CloneHead, Omission } from '@workspace-service/cloning/progress_file.ts'
import { addressSettings, type CommandContext } from './command_context.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { requireFolderOf } from './file_problem.ts'
import { textTable } from './output.ts'
import { targetOf } from './proxy.ts'
import type { ServiceCommand } from './service_command.ts'

interface CloneOptions {
  readonly token?: string
  readonly name?: string
  readonly ownerName?: string
  readonly email?: string
  readonly headerBrand?: string
  readonly progress: string
  readonly report?: string
}

const MINUTES_MAX = 15
/** Rate-limited servers say how long to wait; a clone waits, up to a limit for each response. */
const RETRY_LIMITS = {
  retries: 10,
  totalMilliseconds: MINUTES_MAX * 60 * 1000,
  longestWaitMilliseconds: MINUTES_MAX * 60 * 1000,
  timeoutMilliseconds: 5 * 60 * 1000,
}

export function addCloneCommand(program: ServiceCommand): void {
  program
    .command('clone')
    .description('copy what a token sees on a server of this protocol into a new workspace of this database')
    .argument('<url>', 'address of the server')
    .option('--token <token>', 'token to read it with; prefer CLONE_TOKEN, which other processes cannot see')
    .option('-n, --name <name>', 'name of the new workspace; by default, that of the workspace of the token')
    .option('--owner-name <name>', 'display name of its owner')
    .option('-e, --email <email>', 'email address of its owner')
    .option('--header-brand <brand>', "prefix of the server's header names, if not `Service`")
    .option('--progress <folder>', 'where the progress is kept until the clone is complete', 'workspace-clone')
    .option('--report <file>', 'write a list of what was left out to this JSON file')
    .addHelpText(
      'after',
      `
It copies pages, databases, data sources, rows, views, blocks, files, people, custom emojis, and the open comments on pages. Pages, databases,
data sources, blocks, views and comments keep their ids. The API of this service writes the clone, so its rules apply, and times and authors are
those of the cloning. What cannot be copied is omitted and listed at the end. The command waits as long as the server's Retry-After says, but at
most ${MINUTES_MAX} minutes for one response; then it fails with the server's error. If it ends early, run it again within a day: it resumes
where it stopped.`,
    )
    .example('clone https://workspace.example --name "Boat shed, copy" --owner-name "Nora Lind" --email nora@boats.example')
    .run(async (context, url: string, options: CloneOptions) => {
      const address = addressSettings(context).DATABASE_URL
      if (address.engine === 'sqlite' && address.path === ':memory:')
        throw usageError('A database in memory disappears when this command ends. Set DATABASE_URL, or --database.')
      const token = options.token ?? process.env['CLONE_TOKEN']
      if (!token) throw usageError('The server requires a token: give --token, or set CLONE_TOKEN.')
      if ((options.ownerName === undefined) !== (options.email === undefined))
        throw usageError('An owner has a name and an email address: give both --owner-name and --email.')
      await requireFolderOf(options.report)
      const baseUrl = targetOf(url).href
      const [{ createWorkspaceClient }, { ProgressFile }, { CloneTarget }] = await Promise.all([
        import('../../client/src/index.ts'),
        import('@workspace-service/cloning/progress_file.ts'),
        import('@workspace-service/cloning/clone_target.ts'),
      ])
      const brand = options.headerBrand === undefined ? {} : await brandOf(options.headerBrand)
      const source = createWorkspaceClient({ baseUrl, token, ...RETRY_LIMITS, ...brand })
      const progress = new ProgressFile(resolve(options.progress))
      try {
        const target = await CloneTarget.open(context.environment)
        try {
          const head = await begin({ source, target, progress }, baseUrl, options)
          const result = await work(context, { source, target, progress }, head)
          await printSummary(context, options, head, result, progress.leftOut)
          progress.remove()
        } finally {
          await target.close()
        }
      } finally {
        progress.close()
      }
    })
}

/** The client's settings for a branded server. */
async function brandOf(headerBrand: string) {
  const { unbrandedFetch: ownValuesOf } = await import('@workspace-service/cloning/unbranded_fetch.ts')
  return { headerBrand, fetch: ownValuesOf(headerBrand) }
}

/** Creates the workspace, or finds the workspace of an interrupted clone. */
async function begin(ends: CloneEndpoints, address: string, options: CloneOptions): Promise<CloneHead> {
  const { folder, head } = ends.progress
  if (head && head.source !== address)
    throw new CommandError(`${folder} contains the progress of a clone of ${head.source}. Choose another folder with --progress.`)
  const { beginClone } = await import('@workspace-service/cloning/begin_clone.ts')
  return beginClone(ends, address, () => cloneSettings(ends.source, address, options))
}

async function cloneSettings(
  source: WorkspaceClient,
  address: string,
  { name, ownerName, email }: CloneOptions,
): Promise<CloneSettings> {
  const me = await source.users.me.retrieve().catch((error: Error) => {
    throw new CommandError(`${address} does not accept the token, or does not respond: ${error.message}`)
  })
  const bot = 'bot' in me && 'workspace_name' in me.bot ? me.bot : undefined
  const wanted = name ?? bot?.workspace_name
  if (!wanted) throw usageError('The server does not report the name of the workspace: add --name.')
  const owner = ownerName !== undefined && email !== undefined ? { name: ownerName, email } : undefined
  return { name: wanted, owner }
}

async function work({ output }: CommandContext, ends: CloneEndpoints, head: CloneHead): Promise<CloneResult> {
  const [{ clone }, { RefusedRequest }, { WorkspaceServiceError }] = await Promise.all([
    import('@workspace-service/cloning/clone.ts'),
    import('@workspace-service/cloning/clone_target.ts'),
    import('../../client/src/index.ts'),
  ])
  const meter = output.meter('Copying')
  const result = await clone(ends, head, {
    listed: (count) => {
      if (count % NOTE_EVERY === 0) output.note(`${count} pages and databases found`)
    },
    at: (share) => meter.at(share),
  }).catch((error: unknown) => {
    if (!(error instanceof WorkspaceServiceError || error instanceof RefusedRequest)) throw error
    throw new CommandError(`${error.message}\nThe clone is not complete. Run the same command again to resume it.`)
  })
  meter.done('Copied')
  return result
}

const NOTE_EVERY = 1_000

async function printSummary(
  context: CommandContext,
  { report }: CloneOptions,
  head: CloneHead,
  { pages, databases, dataSources, people }: CloneResult,
  leftOut: readonly Omission[],
): Promise<void> {
  if (report !== undefined) await writeFile(report, `${JSON.stringify({ left_out: leftOut }, null, 2)}\n`)
  const json = {
    workspace_id: head.workspaceId,
    token: head.token,
    pages,
    databases,
    data_sources: dataSources,
    people,
    left_out: leftOut.map(({ what, id, reason }) => ({ what, id, reason })),
  }
  context.result(json, () => [
    `Copied ${pages} pages, ${databases} databases, ${dataSources} data sources and ${people} people into the workspace ${head.workspaceId}.`,
    '',
    `  Token of its connection (shown once)  ${head.token}`,
    '',
    ...(leftOut.length === 0 ? ['Nothing was left out.'] : [`Left out: ${leftOut.length}`, '', ...omissionTable(leftOut)]),
  ])
}

const ROWS_SHOWN = 20

function omissionTable(leftOut: readonly Omission[]): string[] {
  const rows = leftOut.slice(0, ROWS_SHOWN).map(({ what, id, reason }) => [what, id, reason])
  const more = leftOut.length - rows.length
  return [
    ...textTable(['WHAT', 'WHERE', 'WHY'], rows, ''),
    ...(more > 0 ? [`… and ${more} more: --report writes them all to a file.`] : []),
  ]
}
