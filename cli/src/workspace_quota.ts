import { InvalidArgumentError } from 'commander'
import {
  changeQuotas,
  recount,
  showUsage,
  NO_QUOTA,
  usageKinds,
  type Quotas,
  type UsageKind,
  type WorkspaceUsage,
} from '@workspace-service/server/domain/administration/index.ts'
import { workspaceOf } from './command_context.ts'
import { details, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

type RequestedQuota = number | 'none' | 'default'
type QuotaOptions = { readonly [K in UsageKind]?: RequestedQuota } & { readonly recount?: true }

const LABELS: Readonly<Record<UsageKind, string>> = {
  pages: 'Pages',
  blocks: 'Blocks',
  notes: 'Meeting notes',
  files: 'Files',
  bytes: 'Bytes of files',
}

/** Adds `workspace quota`, which shows and changes the quotas of a workspace. */
export function addQuotaCommand(workspace: ServiceCommand): void {
  const command = workspace.command('quota <workspace>').description('show or change the quotas of a workspace')
  for (const kind of usageKinds)
    command.option(
      `--${kind} <number>`,
      `${LABELS[kind].toLowerCase()} that it may contain, none for no limit, or default`,
      parseQuota,
    )
  command
    .option('--recount', 'recount its usage')
    .addHelpText(
      'after',
      '\nContent beyond a lowered quota is kept. The defaults are settings of the service (QUOTA_PAGES and so on).',
    )
    .example('workspace quota 62f746b4-84e6-4ceb-95bd-447e7184d454 --pages 10000 --bytes none')
    .run(async (context, wanted: string, { recount: recounts, ...settings }: QuotaOptions) => {
      const changes = changesOf(settings)
      const isChange = recounts || Object.keys(changes).length > 0
      const usage = isChange
        ? await context.writeIn(
            wanted,
            async (db, id) => {
              await changeQuotas(db, id, changes)
              if (recounts) await recount(db, id)
              return { id, ...(await showUsage(db, id)) }
            },
            ({ id }) => ({ id }),
          )
        : await context.read(async (db) => showUsage(db, await workspaceOf(db, wanted)))
      context.result(usageJson(usage), () => details(usageDetails(usage)))
    })
}

function parseQuota(text: string): RequestedQuota {
  if (text === 'none' || text === 'default') return text
  const number = Number(text)
  if (/^\d{1,15}$/.test(text)) return number
  throw new InvalidArgumentError('expected a whole number, `none` or `default`')
}

function changesOf(settings: Partial<Record<UsageKind, RequestedQuota>>): Partial<Quotas> {
  const stored = (quota: RequestedQuota): number | null => (quota === 'default' ? null : quota === 'none' ? NO_QUOTA : quota)
  return Object.fromEntries(usageKinds.flatMap((kind) => (settings[kind] === undefined ? [] : [[kind, stored(settings[kind])]])))
}

/** The contents and quotas of a workspace, as JSON. */
export function usageJson({ used, quotas }: WorkspaceUsage): JsonResult {
  return { usage: { ...used }, quotas: { ...quotas } }
}

/** The contents and quotas of a workspace, as lines for people. */
export function usageDetails({ used, quotas, isOwn }: WorkspaceUsage): (readonly [string, string])[] {
  return usageKinds.map((kind) => {
    const quota = quotas[kind] === null ? 'no limit' : `at most ${quotas[kind]}`
    return [LABELS[kind], `${used[kind]}, ${quota}${isOwn[kind] ? ' (set for this workspace)' : ''}`] as const
  })
}
