import type { SignInLink } from '@workspace-service/server/domain/administration/index.ts'
import { authorityOf } from '@workspace-service/server/kernel/listening_address.ts'
import type { Connection } from '@workspace-service/server/store/database.ts'
import { lastAddress } from '@workspace-service/server/store/instance.ts'
import { addressSettings, type CommandContext } from './command_context.ts'
import { timestamp, when, type JsonResult } from './output.ts'

/** The address at which browsers reach the service: from the setting, else from its last start, else where it will listen. */
export async function serviceAddress(context: CommandContext, db: Connection): Promise<string> {
  const { BASE_URL, HOST, PORT, TLS_CERT } = addressSettings(context)
  return BASE_URL ?? (await lastAddress(db)) ?? `${TLS_CERT === undefined ? 'http' : 'https'}://${authorityOf(HOST, PORT)}`
}

export interface WholeLink extends SignInLink {
  readonly address: string
}

export async function wholeLink(context: CommandContext, db: Connection, link: SignInLink): Promise<WholeLink> {
  return { ...link, address: await serviceAddress(context, db) }
}

export function linkJson({ address, path, expiresTime }: WholeLink): JsonResult {
  return { sign_in_url: address + path, expires_time: timestamp(expiresTime) }
}

export function linkLines({ address, path, expiresTime }: WholeLink): string[] {
  return ['', `  ${address}${path}`, '', `Works once, until ${when(expiresTime)} UTC.`]
}
