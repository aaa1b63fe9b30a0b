import { InvalidArgumentError, Option } from 'commander'
import type { Capability } from '../../generated/operations.ts'
import type { ConnectionSettings } from '@workspace-service/server/domain/administration/index.ts'
import { capabilityOrder } from '@workspace-service/server/domain/shared/index.ts'
import type { ConnectionRecord } from '@workspace-service/server/store/connections.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import { each, commaSeparatedOption, wholeNumberOption } from './arguments.ts'
import { workspaceOf } from './command_context.ts'
import { idIn } from '@workspace-service/server/kernel/ids.ts'
import { itemNamed } from './names.ts'
import { timestamp, type JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

const RATE_MAX = 1_000_000

/** Options for creating and updating a connection. */
export interface ConnectionSettingOptions {
  readonly capability?: readonly Capability[]
  readonly redirectUri?: readonly string[]
  readonly allowedWorkspace?: readonly string[]
  readonly template?: string
  readonly icon?: string
  readonly developerName?: string
  readonly developerUrl?: string
  readonly rateLimit?: number | 'default'
}

/** Capabilities without `--capability`: all except reading email addresses. */
export const usualCapabilities: readonly Capability[] = capabilityOrder.filter((word) => word !== 'read_user_with_email')

export function addSettingOptions(command: ServiceCommand): ServiceCommand {
  return command
    .addOption(capabilityOption())
    .addOption(new Option('-r, --redirect-uri <uri>', 'redirect URI of a public connection; may be repeated').argParser(each))
    .addOption(
      new Option('--allowed-workspace <ids>', 'workspaces a public connection may be authorized in, or `any`').argParser(
        commaSeparatedOption,
      ),
    )
    .option('--template <page>', 'page that users may copy when they authorize it, or `none`')
    .option('--icon <url>', 'URL of its icon; the consent page shows it only if it is a data: URL')
    .option('--developer-name <name>', 'name of its developer')
    .option('--developer-url <url>', 'website of its developer')
    .addOption(new Option('--rate-limit <requests>', 'requests per 60 seconds, or `default` for RATE_LIMIT').argParser(rateLimit))
}

export function capabilityOption(): Option {
  const explained = `capabilities, separated by commas: ${capabilityOrder.join(', ')}`
  return new Option('-c, --capability <words>', explained).argParser(capabilities)
}

/**
 * The settings in the options; other settings are omitted.
 * @param workspaceId the workspace of the template
 */
export async function settingsOf(
  db: Connection,
  workspaceId: string,
  options: ConnectionSettingOptions,
): Promise<Partial<ConnectionSettings>> {
  const { capability, redirectUri, allowedWorkspace, template, icon, developerName, developerUrl, rateLimit: limit } = options
  return {
    ...(capability && { capabilities: capability }),
    ...(redirectUri && { redirectUris: redirectUri }),
    ...(allowedWorkspace && { allowedWorkspaces: await workspacesIn(db, allowedWorkspace) }),
    ...(template !== undefined && { templatePageId: template === 'none' ? null : await itemNamed(db, workspaceId, template) }),
    ...(icon !== undefined && { iconUrl: icon }),
    ...(developerName !== undefined && { developerName }),
    ...(developerUrl !== undefined && { developerUrl }),
    ...(limit !== undefined && { rateLimit: limit === 'default' ? null : limit }),
  }
}

/** The id of a workspace that does not exist is kept: the workspace may be created later. */
async function workspacesIn(db: Connection, wanted: readonly string[]): Promise<readonly string[] | null> {
  if (wanted[0] === 'any') return null
  const ids: string[] = []
  for (const text of wanted) ids.push(idIn(text) ?? (await workspaceOf(db, text)))
  return ids
}

export function connectionJson(connection: ConnectionRecord): JsonResult {
  return {
    id: connection.id,
    kind: connection.kind,
    name: connection.name,
    workspace_id: connection.workspaceId,
    capabilities: connection.capabilities,
    client_id: connection.clientId,
    redirect_uris: connection.redirectUris,
    allowed_workspaces: connection.allowedWorkspaces,
    template_page_id: connection.templatePageId,
    icon_url: connection.iconUrl,
    developer_name: connection.developerName,
    developer_url: connection.developerUrl,
    rate_limit: connection.rateLimit,
    created_time: timestamp(connection.createdTime),
    disabled_time: timestamp(connection.disabledTime),
  }
}

function capabilities(text: string, before: readonly Capability[] | undefined): readonly Capability[] {
  return commaSeparatedOption(text, before).map((word) => {
    const known = capabilityOrder.find((capability) => capability === word)
    if (known === undefined)
      throw new InvalidArgumentError(`"${word}" is not a capability. The capabilities are ${capabilityOrder.join(', ')}.`)
    return known
  })
}

function rateLimit(text: string): number | 'default' {
  return text === 'default' ? text : wholeNumberOption(1, RATE_MAX)(text)
}
