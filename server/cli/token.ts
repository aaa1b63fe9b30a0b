import { Option, type Command } from 'commander'
import { createPersonalToken, listPersonalTokens, personalTokenDays, revokeToken } from '../domain/administration/tokens.ts'
import { workspaceOption } from './arguments.ts'
import { deskOf, parseId, readDatabase, writeDatabase, workspaceOf } from './desk.ts'
import { table, timestamp, when } from './output.ts'
import { personOf } from './user.ts'

interface CreateOptions {
  readonly user: string
  readonly workspace?: string
  readonly name?: string
  readonly days: string
  readonly api: boolean
}

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('personal access tokens, which act as a member')
  token
    .command('create')
    .description('create a token for a member and show it once')
    .requiredOption('-u, --user <id or e-mail>', 'the member it acts as')
    .addOption(workspaceOption())
    .option('-n, --name <name>', 'name by which the member recognizes it')
    .addOption(new Option('-d, --days <days>', 'lifetime in days').choices(personalTokenDays.map(String)).default('365'))
    .option('--no-api', 'the API answers this token with 403')
    .action(async (options: CreateOptions, command: Command) => {
      const desk = deskOf(command)
      const days = personalTokenDays.find((known) => String(known) === options.days) ?? 365
      const made = await writeDatabase(desk, async (db) => {
        const workspaceId = await workspaceOf(db, options.workspace)
        const personId = await personOf(db, workspaceId, options.user)
        return {
          personId,
          ...(await createPersonalToken(
            db,
            { workspaceId, personId, days, name: options.name ?? null, callsApi: options.api },
            Date.now(),
          )),
        }
      })
      desk.output.result(
        { id: made.id, user_id: made.personId, token: made.token, expires_time: timestamp(made.expiresTime) },
        () => [
          `Created a personal token for ${options.user}, valid until ${when(made.expiresTime)}: ${made.id}`,
          '',
          `  Token  ${made.token}`,
          '',
          'This is shown only once: the service stores just a digest of it.',
        ],
      )
    })
  token
    .command('list')
    .description('list the personal tokens of a workspace, newest first')
    .addOption(workspaceOption())
    .action(async ({ workspace }: { workspace?: string }, command: Command) => {
      const desk = deskOf(command)
      const rows = await readDatabase(desk, async (db) => listPersonalTokens(db, await workspaceOf(db, workspace)))
      desk.output.result(
        {
          results: rows.map((row) => ({
            id: row.id,
            user_id: row.user_id,
            name: row.name,
            created_time: timestamp(row.created_time),
            expires_time: timestamp(row.expires_time),
            revoked_time: timestamp(row.revoked_time),
          })),
        },
        () =>
          table(
            ['ID', 'MEMBER', 'NAME', 'CREATED', 'EXPIRES', 'REVOKED'],
            rows.map((row) => [
              row.id ?? '-',
              row.user_id,
              row.name ?? '',
              when(row.created_time),
              when(row.expires_time),
              when(row.revoked_time),
            ]),
            'There are no personal tokens.',
          ),
      )
    })
  token
    .command('revoke <token-id>')
    .description('revoke a token, given its id (not the token itself)')
    .action(async (text: string, _options: object, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      await writeDatabase(desk, (db) => revokeToken(db, id, Date.now()))
      desk.output.result({ id, revoked: true }, () => [`Revoked the token ${id}.`])
    })
}
