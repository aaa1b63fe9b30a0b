import type { SignInLink } from '../domain/administration/people.ts'
import { addressSettings, type CommandContext } from './command_context.ts'
import { timestamp, when, type JsonResult } from './output.ts'

/** The address at which browsers reach the service. */
export function serviceAddress(context: CommandContext): string {
  const { BASE_URL, HOST, PORT, TLS_CERT } = addressSettings(context)
  return BASE_URL ?? `${TLS_CERT === undefined ? 'http' : 'https'}://${HOST}:${PORT}`
}

export function linkJson(context: CommandContext, link: SignInLink): JsonResult {
  return { sign_in_url: serviceAddress(context) + link.path, expires_time: timestamp(link.expiresTime) }
}

export function linkLines(context: CommandContext, link: SignInLink): string[] {
  return ['', `  ${serviceAddress(context)}${link.path}`, '', `Works once, until ${when(link.expiresTime)} UTC.`]
}
