import { betas, flagOf, retiredBetas, type Beta } from '../contract/betas.ts'
import { ServiceError } from '../kernel/errors.ts'

const HEADER_BYTES_MAX = 512
const FLAGS_MAX = 10
const FLAG_SHOWN_LENGTH_MAX = 100
const FLAG = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)-(\d{4}-\d{2}-\d{2})$/
const NAME_LENGTH_MIN = 2
const NAME_LENGTH_MAX = 60

interface ActiveBetas {
  /** The accepted flags, in the order of the request. */
  readonly flags: readonly string[]
  /** If the request has a retired flag: when its grace period ends, as an HTTP date. */
  readonly sunset?: string
}

type BetaFault = 'malformed' | 'duplicate' | 'unknown' | 'unsupported_revision' | 'version_too_old'

/**
 * Parses and checks the beta flags of a request from left to right, up to the first error.
 * @param header the value of the beta header; undefined if it was not sent
 * @param version the release date of the request
 * @param versionHeader the name of the version header, for messages
 * @throws ServiceError `invalid_beta`, which names the current flag if the name of the beta is known
 */
export function parseBetas(header: string | undefined, version: string, now: number, versionHeader: string): ActiveBetas {
  if (header === undefined) return { flags: [] }
  const written = Buffer.byteLength(header) > HEADER_BYTES_MAX ? [] : header.split(',')
  if (written.length === 0 || written.length > FLAGS_MAX) throw fault('malformed', header.slice(0, FLAG_SHOWN_LENGTH_MAX))
  const flags: string[] = []
  const seen = new Set<string>()
  let sunset: string | undefined
  for (const flag of written.map(withoutBlanks)) {
    const [name, date] = split(flag)
    const beta = betas.find((known) => known.name === name)
    if (seen.has(name)) throw fault('duplicate', flag, beta)
    seen.add(name)
    const retired = retiredBetas.find((known) => known.name === name && now < Date.parse(known.graceEnd))
    if (retired) {
      sunset = new Date(retired.graceEnd).toUTCString()
      continue
    }
    if (!beta) throw fault('unknown', flag)
    if (date !== beta.revision) throw fault('unsupported_revision', flag, beta)
    if (version < beta.minimumVersion) throw fault('version_too_old', flag, beta, versionHeader)
    flags.push(flag)
  }
  return sunset === undefined ? { flags } : { flags, sunset }
}

function withoutBlanks(flag: string): string {
  return flag.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '')
}

function split(flag: string): [name: string, date: string] {
  const [, name, date] = FLAG.exec(flag) ?? []
  if (
    name === undefined ||
    date === undefined ||
    name.length < NAME_LENGTH_MIN ||
    name.length > NAME_LENGTH_MAX ||
    !isRealDate(date)
  ) {
    throw fault('malformed', flag)
  }
  return [name, date]
}

function isRealDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

const MESSAGES: Readonly<Record<Exclude<BetaFault, 'version_too_old'>, string>> = {
  malformed: 'is malformed: it should be a kebab-case name and a date, such as `strict-ids-2026-06-15`',
  duplicate: 'names a beta that this request names already',
  unknown: 'is not a beta of this service',
  unsupported_revision: 'is outdated',
}

function fault(kind: BetaFault, flag: string, beta?: Beta, versionHeader = ''): ServiceError {
  const cut = flag.slice(0, FLAG_SHOWN_LENGTH_MAX)
  const current = beta && flagOf(beta)
  const minimum = kind === 'version_too_old' ? beta?.minimumVersion : undefined
  const complaint = kind === 'version_too_old' ? `needs a ${versionHeader} from ${minimum} on` : MESSAGES[kind]
  return new ServiceError('invalid_beta', {
    message: `Beta flag \`${cut}\` ${complaint}${current === undefined ? '' : `; the current flag is \`${current}\``}.`,
    additionalData: {
      beta_error: kind,
      flag: cut,
      ...(current === undefined ? {} : { current_flag: current }),
      supported_flags: betas.map(flagOf),
      ...(minimum === undefined ? {} : { minimum_api_version: minimum }),
    },
  })
}
