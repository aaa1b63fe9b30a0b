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

/** The names of secrets in every spelling: `csrf_token`, `csrfToken` and `CSRF-Token` count as the same name. */
const secretNames = new Set([...secretFields, ...OTHER_SECRETS].map(spelling))
/** Names of secrets in queries and forms. Elsewhere, other fields may have these names. */
const namesInForms = new Set([...secretNames, ...Object.values(secretsOfRequests).flat().map(spelling)])

/** Matches tokens, secrets and codes of the service itself, credentials of other protocols, and passwords in addresses. */
const SECRET_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\b(itk|oat|ort|pat|cs)_[A-Za-z0-9_]{8,}/g, `$1_${REDACTED}`],
  [/\b(code|link|session|device|visitor|secret)_[A-Za-z0-9]{16,}/g, `$1_${REDACTED}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9_\-.~+/]+=*/gi, `$1 ${REDACTED}`],
  [/(:\/\/[^\s:/@"\\]*):[^\s@/"\\]+@/g, `$1:${REDACTED}@`],
]
/** Matches a parameter of a query, a fragment or a form, inside any text. */
const PARAMETER = /(^|&amp;|[?&#])([^=&?#\s"'<>]+)=([^&#\s"'<>]+)/g
/** Matches a field of a form in a page. */
const INPUT = /<input\b[^<>]*>/gi
const ADDRESSES_INSIDE_MAX = 3

function spelling(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}

/** Whether a value with this name is a secret. In the name of a form field such as `user[password]`, each part counts. */
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

/** What to mask in a text or a value. */
interface Masking {
  /** The operation to whose request the text or value belongs: some names are secrets only there. */
  readonly operation?: string | undefined
  /** Texts that are secret in this deployment. */
  readonly known?: readonly string[]
  /** Further names whose values are not shown. */
  readonly names?: readonly string[]
}

/**
 * A text such as an address, a form, a page or a message, without the values of secret parameters and everything else that looks like a
 * secret.
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
    // The value may be JSON, or an address with its own parameters.
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

/** Decodes a text as form fields are decoded: invalid encodings stay unchanged. */
function formDecoded(text: string): string {
  return new URLSearchParams(`text=${text}`).get('text') ?? text
}

/** The value of a header or a query parameter, in a form that can be shown beside its name. */
export function maskNamed(name: string, value: string): string {
  return hasName(name, namesInForms) ? REDACTED : maskText(value)
}

/** A JSON value without secrets, at every level. @throws RangeError if it is nested too deeply */
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

/** A body in a form that can be shown: JSON as its value, everything else as text. */
export function maskBody(text: string, operation?: string): unknown {
  const value = jsonOf(text)
  try {
    return value === undefined ? maskBrokenJson(maskText(text)) : maskValue(value, { operation })
  } catch (error) {
    // The value is nested too deeply to traverse.
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

/** Shows a text that is not complete JSON, up to the first key of a secret. */
function maskBrokenJson(text: string): string {
  for (const { 1: key = '', index } of text.matchAll(/\\?["']((?:[^"'\\]|\\u[0-9a-f]{4}){1,100})\\?["']\s{0,100}:/gi))
    if (isSecretName(unescaped(key))) return `${text.slice(0, index)}"${key}": ${REDACTED}`
  return text
}

function unescaped(key: string): string {
  return key.replaceAll(/\\u([0-9a-f]{4})/gi, (_all, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
