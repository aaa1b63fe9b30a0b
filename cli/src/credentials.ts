import {
  regenerateInstallationToken,
  requireConnection,
  rotateClientSecret,
  type InternalConnection,
  type PublicConnection,
} from '@workspace-service/server/domain/administration/index.ts'
import { connectionOf } from './names.ts'
import type { JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

const SHOWN_ONCE = 'It is shown only this once: the service stores only a digest of it.'

export function credentialsJson(made: InternalConnection | PublicConnection): JsonResult {
  return made.kind === 'internal'
    ? { installation_token: made.installationToken, bot_id: made.botId }
    : { client_id: made.clientId, client_secret: made.clientSecret }
}

export function credentialLines(made: InternalConnection | PublicConnection): string[] {
  return made.kind === 'internal'
    ? ['', `  Installation token  ${made.installationToken}`, '', SHOWN_ONCE]
    : ['', `  Client id      ${made.clientId}`, `  Client secret  ${made.clientSecret}`, '', SHOWN_ONCE]
}

export function addRotateCommand(connection: ServiceCommand): void {
  connection
    .command('rotate <connection>')
    .description(
      'give an internal connection a new token (the old one stops working at once), or a public one a new client secret (the old one works for another 24 hours)',
    )
    .run(async (context, text: string) => {
      const made = await context.write(
        async (db) => {
          const connectionId = await connectionOf(db, text)
          const { kind, clientId, workspaceId, name } = await requireConnection(db, connectionId)
          if (kind === 'internal')
            return {
              ...{ kind, connectionId, workspaceId, name },
              botId: '',
              installationToken: await regenerateInstallationToken(db, connectionId, Date.now()),
            }
          return {
            ...{ kind, connectionId, workspaceId, name },
            clientId: clientId ?? '',
            clientSecret: await rotateClientSecret(db, connectionId, Date.now()),
          }
        },
        ({ connectionId, ...named }) => ({ id: connectionId, ...named }),
      )
      const id = made.connectionId
      const { bot_id: _bot, ...credentials } = credentialsJson(made)
      context.result({ id, kind: made.kind, ...credentials }, () => [
        `Rotated the credentials of the connection ${id}.`,
        ...credentialLines(made),
      ])
    })
}
