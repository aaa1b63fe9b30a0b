import type { Command } from 'commander'
import {
  regenerateInstallationToken,
  requireConnection,
  rotateClientSecret,
  type InternalConnection,
  type PublicConnection,
} from '../domain/administration/connections.ts'
import { deskOf, parseId, writeDatabase } from './desk.ts'
import type { JsonResult } from './output.ts'

const SHOWN_ONCE = 'This is shown only once: the service stores just a digest of it.'

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

export function addRotateCommand(connection: Command): void {
  connection
    .command('rotate <connection>')
    .description(
      'give an internal connection a new token (the old one stops working at once), or a public one a new client secret (the old one works for another 24 hours)',
    )
    .action(async (text: string, _options: object, command: Command) => {
      const desk = deskOf(command)
      const id = parseId(text)
      const made = await writeDatabase(desk, async (db) => {
        const { kind, clientId } = await requireConnection(db, id)
        if (kind === 'internal')
          return { kind, connectionId: id, botId: '', installationToken: await regenerateInstallationToken(db, id, Date.now()) }
        return { kind, connectionId: id, clientId: clientId ?? '', clientSecret: await rotateClientSecret(db, id, Date.now()) }
      })
      const { bot_id: _bot, ...credentials } = credentialsJson(made)
      desk.output.result({ id, kind: made.kind, ...credentials }, () => [
        `Rotated the credentials of the connection ${id}.`,
        ...credentialLines(made),
      ])
    })
}
