import { Option } from 'commander'
import { createPersonalToken, personalTokenDays, revokeToken } from '@workspace-service/server/domain/administration/index.ts'
import { listPersonalTokens, type TokenRow } from '@workspace-service/server/store/tokens.ts'
import { parseId } from './command_context.ts'
import { timestamp, when, type JsonResult } from './output.ts'
import type { ServiceCommand, WorkspaceOption } from './service_command.ts'
import { personOf } from './user.ts'

interface CreateOptions {
  readonly user: string
  readonly workspace?: string
  readonly name?: string
  readonly days: string
  readonly api: boolean
}

export function addTokenCommands(program: ServiceCommand): void {
  const token = program.command('token').description('personal access tokens, which act as a member')
  token
    .command('create')
    .description('create a token for a member and show it once')
    .requiredOption('-u, --user <person>', 'the member it acts as, by id, email address or name')
    .workspaceOption()
    .option('-n, --name <name>', 'name by which the member recognizes the token')
    .addOption(new Option('-d, --days <days>', 'lifetime in days').choices(personalTokenDays.map(String)).default('365'))
    .option('--no-api', 'the API rejects this token with 403')
    .run(async (context, options: CreateOptions) => {
      const days = personalTokenDays.find((known) => String(known) === options.days) ?? 365
      const made = await context.writeIn(
        options.workspace,
        async (db, workspaceId) => {
          const personId = await personOf(db, workspaceId, options.user)
          return {
            personId,
            ...(await createPersonalToken(
              db,
              { workspaceId, personId, days, name: options.name ?? null, callsApi: options.api },
              Date.now(),
            )),
          }
        },
        ({ id, personId }) => ({ id, name: options.name ?? personId }),
      )
      context.result(
        { id: made.id, user_id: made.personId, token: made.token, expires_time: timestamp(made.expiresTime) },
        () => [
          `Created a personal token for ${options.user}, valid until ${when(made.expiresTime)}: ${made.id}`,
          '',
          `  Token  ${made.token}`,
          '',
          'It is shown only this once: the service stores only a digest of it.',
        ],
      )
    })
  token
    .command('list')
    .description('list the personal tokens of a workspace, newest first')
    .workspaceOption()
    .run(async (context, { workspace }: WorkspaceOption) => {
      const rows = await context.readIn(workspace, listPersonalTokens)
      context.list(
        rows,
        tokenJson,
        'There are no personal tokens.',
        ['ID', 'MEMBER', 'NAME', 'CREATED', 'EXPIRES', 'REVOKED'],
        (row) => [
          row.id ?? '-',
          row.user_id,
          row.name ?? '',
          when(row.created_time),
          when(row.expires_time),
          when(row.revoked_time),
        ],
      )
    })
  token
    .command('revoke <token-id>')
    .description('revoke a token, given its id (not the token itself)')
    .run(async (context, text: string) => {
      const id = parseId(text, 'a token', 'token list')
      await context.write(
        (db) => revokeToken(db, id, Date.now()),
        (workspaceId) => ({ workspaceId, id }),
      )
      context.result({ id, revoked: true }, () => [`Revoked the token ${id}.`])
    })
}

function tokenJson(row: TokenRow): JsonResult {
  return {
    id: row.id,
    user_id: row.user_id,
    name: row.name,
    created_time: timestamp(row.created_time),
    expires_time: timestamp(row.expires_time),
    revoked_time: timestamp(row.revoked_time),
  }
}
