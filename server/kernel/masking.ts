/** The only place that removes secrets from logs, journals, archives and reports. */

import { secretFields, secretsOfRequests } from '../../generated/secret_fields.ts'
import { isObject } from './is_object.ts'

export const REDACTED = '[redacted]'

/** Secrets outside the contract: credentials of HTTP, of sign-in, of signed links, and of services that this one is compared with. */
const OTHER_SECRETS = [
  ...['authorization', 'proxy-authorization', 'cookie', 'set-cookie'],
  ...['password', 'new_password', 'secret', 'client_secret', 'client_assertion', 'id_token', 'api_key', 'x-api-key'],
  ...['signature', 'x-amz-signature', 'x-amz-credential', 'x-amz-security-token', 'webhook_secret', 'signing_secret'],
]

/** The names of secrets in every spelling: `csrf_token`, `csrfToken` and `CSRF-Token` are one. */
const secretNames = new Set([...secretFields, ...OTHER_SECRETS].map(spelling))
/** Names that are secrets in queries and forms, where no other field has these names. */
const namesInForms = new Set([...secretNames, ...Object.values(secretsOfRequests).flat().map(spelling)])

/** Tokens, secrets and codes of the service itself; credentials of other protocols; passwords in addresses. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(itk|oat|ort|pat|cs)_[A-Za-z0-9_]{8,}/g, `$1_${REDACTED}`],
  [/\b(code|link|session|device|visitor|secret)_[A-Za-z0-9]{16,}/g, `$1_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9_\-.~+/]+=*/gi, `$1 ${REDACTED}`],
  [/(:\/\/[^\s:/@"\\]*):[^\s@/"\\]+@/g, `$1:${REDACTED}@`],
]
/** A parameter in a query, a fragment or a form, inside any text. */
const PARAMETER = /(^|&amp;|[?&#])([^=&?#\s"'<>]+)=([^&#\s"'<>]+)/g
/** A field of a form in a page. */
const INPUT = /<input\b[^<>]*>/gi
const ADDRESSES_INSIDE_MAX = 3

function spelling(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Whether a value with this name is a secret. Names of form fields such as `user[password]` count by each part. */
export function isSecretName(name: string): boolean {
  return hasName(name, secretNames)
}

/** Whether the value at a path of a request, such as `body.refresh_token`, is a secret. */
export function isSecretPath(path: string): boolean {
  const name = path.slice(path.lastIndexOf('.') + 1)
  return hasName(name, path.startsWith('query.') ? namesInForms : secretNames)
}

function hasName(name: string, names: ReadonlySet<string>): boolean {
  return names.has(spelling(name)) || (/[[.?]/.test(name) && name.split(/[[\].?]+/).some((part) => names.has(spelling(part))))
}

/**
 * Removes everything that looks like a secret.
 * @param known texts that are secret in this deployment, such as a token from a setting
 */
function scrub(text: string, known: readonly string[] = []): string {
  const withoutKnown = known.reduce((rest, secret) => rest.replaceAll(secret, REDACTED), text)
  return SECRET_TEXTS.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), withoutKnown)
}

/** How a text or a value is masked. */
interface Masking {
  /** The kind of request it belongs to: some names are secrets only there. */
  readonly operation?: string | undefined
  /** Texts that are secret in this deployment. */
  readonly known?: readonly string[]
  /** Other names that are not shown. */
  readonly names?: readonly string[]
}

/**
 * Text such as an address, a form, a page or a message, without the values of secret parameters and anything else that looks like a secret.
 */
export function maskText(text: string, masking: Masking = {}): string {
  return scrub(maskInside(text, ADDRESSES_INSIDE_MAX, masking), masking.known)
}

function maskInside(text: string, levels: number, masking: Masking): string {
  const json = jsonOf(text)
  if (json !== undefined) return maskJsonText(text, json, masking)
  return text.includes('=') ? maskParameters(text, levels, masking) : text
}

function maskJsonText(text: string, json: unknown, masking: Masking): string {
  const masked = JSON.stringify(maskValue(json, masking))
  return masked === JSON.stringify(json) ? text : masked
}

function maskParameters(text: string, levels: number, masking: Masking): string {
  return text.replace(INPUT, maskInput).replace(PARAMETER, (all, before: string, name: string, value: string) => {
    if (hasName(formDecoded(name), namesInForms)) return `${before}${name}=${REDACTED}`
    // A value may be an address with parameters of its own, or JSON.
    if (levels === 0 || !value.includes('%')) return all
    const inside = formDecoded(value)
    const masked = maskInside(inside, levels - 1, masking)
    return masked === inside ? all : `${before}${name}=${encodeURIComponent(masked)}`
  })
}

function maskInput(tag: string): string {
  const name = /\bname\s?=\s?["']?([^"'\s>]+)/i.exec(tag)?.[1]
  if (name === undefined || !hasName(name, namesInForms)) return tag
  return tag.replace(/(\bvalue\s?=\s?)("[^"]*"|'[^']*'|[^\s>]+)/i, `$1"${REDACTED}"`)
}

/** Decoded leniently, as forms are. */
function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text}`).get('text') ?? text
}

/** The value of a header or a query parameter, as it can be shown with its name. */
export function maskNamed(name: string, value: string): string {
  return hasName(name, namesInForms) ? REDACTED : maskText(value)
}

/** A JSON value without secrets, at every level. @throws RangeError if it is nested too deep */
export function maskValue(value: unknown, masking: Masking = {}): unknown {
  const { operation = '', known, names = [] } = masking
  const own = [...(secretsOfRequests[operation] ?? []), ...names]
  const secret = own.length === 0 ? secretNames : new Set([...secretNames, ...own.map(spelling)])
  const mask = (part: unknown): unknown => {
    if (typeof part === 'string') return maskText(part, masking)
    if (Array.isArray(part)) return part.map(mask)
    if (!isObject(part)) return part
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [scrub(key, known), maskMember(key, item)]))
  }
  const maskMember = (key: string, item: unknown): unknown =>
    item !== null && typeof item !== 'boolean' && hasName(key, secret) ? REDACTED : mask(item)
  return mask(value)
}

/** How a body of text is shown: JSON as its value, everything else as text. */
export function maskBody(text: string, operation?: string): unknown {
  const value = jsonOf(text)
  try {
    return value === undefined ? maskBrokenJson(maskText(text)) : maskValue(value, { operation })
  } catch (error) {
    // Nested too deep to traverse.
    if (error instanceof RangeError) return REDACTED
    throw error
  }
}

function jsonOf(text: string): unknown {
  if (!/^\s{0,100}[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Shows text that is not complete JSON up to the first key of a secret. */
function maskBrokenJson(text: string): string {
  for (const { 1: key = '', index } of text.matchAll(/\\?["']((?:[^"'\\]|\\u[0-9a-f]{4}){1,100})\\?["']\s{0,100}:/gi))
    if (isSecretName(unescaped(key))) return `${text.slice(0, index)}"${key}": ${REDACTED}`
  return text
}

function unescaped(key: string): string {
  return key.replaceAll(/\\u([0-9a-f]{4})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
