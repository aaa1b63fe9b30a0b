import { pino, type DestinationStream, type Logger } from 'pino'
import pretty from 'pino-pretty'
import type { Config } from './config.ts'

/** What stands under these names is a secret. */
export const secretNames: readonly string[] = [
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'code_verifier',
  'signature',
]
/** Whatever is logged under these names is left out, however deep a caller of the log buries it. */
const LEFT_OUT = [...secretNames, 'query', 'headers']
const STDOUT = 1
export const REDACTED = '[redacted]'
/** Tokens, secrets and codes of the service itself; credentials of other protocols; passwords in addresses. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(itk|oat|ort|pat|cs|code|link|session)_[A-Za-z0-9_]{8,}/g, `$1_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9_\-.~+/]+=*/gi, `$1 ${REDACTED}`],
  [/(:\/\/[^\s:/@"\\]*):[^\s@/"\\]+@/g, `$1:${REDACTED}@`],
]

/**
 * Takes out of a text, or a line of JSON, what must not reach a log.
 * @param known texts that are secret in this deployment, such as a token from a setting
 */
export function scrub(text: string, known: readonly string[] = []): string {
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
  return SECRET_TEXTS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), withoutKnown)
}

/**
 * The log of the service: JSON lines, or on a terminal lines for people. Nothing secret gets in: callers of the log do not pass secrets, and what slips through is taken
 * out here, by name and by form.
 */
export function makeLog(config: Config, destination?: DestinationStream): Logger {
  const end = destination ?? (process.stdout.isTTY ? terminal() : lines())
  const known = secretsOf(config)
  return pino(
    {
      level: config.logLevel,
      base: { pid: process.pid },
      formatters: { level: (level) => ({ level }) },
      redact: { paths: LEFT_OUT.flatMap((name) => [at('', name), at('*', name), at('*.*', name)]), censor: REDACTED },
    },
    { write: (line) => end.write(scrub(line, known)) },
  )
}

/** Written at once: a line that waits in memory is lost, or out of order, when the process ends. */
function lines(): DestinationStream {
  return pino.destination({ dest: STDOUT, sync: true })
}

/** For people: one who has time, level, words and what there is to them on a line. */
export function terminal(destination: DestinationStream = lines()): DestinationStream {
  const colorize = process.env['NO_COLOR'] === undefined
  return pretty({ destination, sync: true, colorize, ignore: 'pid', translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
}

/** Of values in headers, those that are too short for a secret may be words. */
const SECRET_LENGTH_MIN = 8

function secretsOf({ bootstrapToken, metrics, agentModel, transcription }: Config): string[] {
  const headers = Object.values(agentModel?.headers ?? {}).filter(({ length }) => length >= SECRET_LENGTH_MIN)
  const metricsToken = typeof metrics === 'object' ? metrics.token : undefined
  return [bootstrapToken, metricsToken, agentModel?.key, transcription?.key, ...headers].filter((text) => text !== undefined)
}

function at(parents: string, name: string): string {
  const key = /^[a-z_]+$/.test(name) ? name : `["${name}"]`
  if (parents === '') return key
  return key.startsWith('[') ? `${parents}${key}` : `${parents}.${key}`
}
