import { ServiceError, shown } from '../../server/kernel/errors.ts'

/** The preferences in a `Prefer` header. */
export interface Preferences {
  /** The status of the response. */
  readonly code?: string
  /** The name of an example of the contract. */
  readonly example?: string
  readonly delayMilliseconds: number
  readonly fault?: ConnectionFault
  /** Whether to generate the response instead of using an example. */
  readonly isDynamic: boolean
  /** The seed that reproduces a generated response. */
  readonly seed?: number
}

/** The point at which the connection breaks: before the response, or after half of its body. */
export type ConnectionFault = (typeof FAULTS)[number]

const FAULTS = ['disconnect', 'truncate'] as const
const NAMES = ['code', 'example', 'dynamic', 'seed', 'delay', 'fault'] as const
const DELAY_MAX = 60_000
const SEED_MAX = 2 ** 31 - 1

/**
 * Parses a header such as `code=404, example=object_not_found`.
 * @throws ServiceError `validation_error` for an unknown preference or an invalid value
 */
export function parsePreferences(header: string | undefined): Preferences {
  const given = new Map<string, string>()
  for (const part of (header ?? '').split(/[,;]/)) {
    const [name = '', value = 'true'] = part.split('=', 2).map((text) => text.trim())
    if (name === '') continue
    requireOneOf('preference', name.toLowerCase(), NAMES)
    given.set(name.toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
  }
  const [code, example, fault, seed] = [given.get('code'), given.get('example'), given.get('fault'), given.get('seed')]
  return {
    ...(code === undefined ? {} : { code }),
    ...(example === undefined ? {} : { example }),
    delayMilliseconds: parseDelay(given.get('delay') ?? '0'),
    ...(fault === undefined ? {} : { fault: requireOneOf('fault', fault, FAULTS) }),
    isDynamic: requireOneOf('dynamic', given.get('dynamic') ?? 'false', ['true', 'false']) === 'true',
    ...(seed === undefined ? {} : { seed: parseSeed(seed) }),
  }
}

/**
 * The choice that equals `value`.
 * @throws ServiceError `validation_error` listing the choices if none does
 */
export function requireOneOf<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const known = choices.find((choice) => choice === value)
  if (known === undefined) throw badPreference(`${name} should be ${alternatives(choices)}`, value)
  return known
}

function parseDelay(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > DELAY_MAX)
    throw badPreference(`delay should be milliseconds, at most \`${DELAY_MAX}\``, text)
  return Number(text)
}

function parseSeed(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) > SEED_MAX)
    throw badPreference(`seed should be a whole number up to \`${SEED_MAX}\``, text)
  return Number(text)
}

function alternatives(choices: readonly string[]): string {
  const named = choices.map((choice) => `\`${choice}\``)
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} or ${named.at(-1)}` : `${named.join('')}`
}

function badPreference(complaint: string, value: string): ServiceError {
  return new ServiceError('validation_error', {
    message: `Prefer header failed validation: ${complaint}, instead was ${shown(value)}.`,
  })
}
