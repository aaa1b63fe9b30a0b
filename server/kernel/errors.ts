import { errorCodes, type ErrorCodeName } from '../../generated/error_codes.ts'
import { isSecretName, isSecretPath, REDACTED } from './masking.ts'

export type AdditionalData = Readonly<Record<string, string | readonly string[]>>

/** A problem at one path of a request. */
export interface Complaint {
  /** A dotted path that begins with its location, for example `body.children[0].to_do.checked`. */
  readonly path: string
  /** The complaint about the path, for example `should be a boolean`. */
  readonly claim: string
  /** The value found there; undefined if there is none. If omitted, the message shows no value. */
  readonly value?: unknown
}

interface ErrorDetails {
  /** A text for people, sent as `message`. */
  readonly message: string
  /** The paths that the message names. Older versions have other names for some of them. */
  readonly complaints?: readonly Complaint[]
  /** The cause, for the log only. */
  readonly internal?: string
  readonly additionalData?: AdditionalData
  /** Extra response headers, such as `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** The only error that reaches a caller. Its status follows from its code, by the contract's table. */
export class ServiceError extends Error {
  readonly code: ErrorCodeName
  readonly internal: string | undefined
  readonly additionalData: AdditionalData | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly complaints: readonly Complaint[]

  constructor(code: ErrorCodeName, details: ErrorDetails) {
    super(details.message, { cause: details.cause })
    this.name = 'ServiceError'
    this.code = code
    this.internal = details.internal
    this.additionalData = details.additionalData
    this.headers = details.headers ?? {}
    this.complaints = details.complaints ?? []
  }

  get status(): number {
    return errorCodes[this.code].status
  }
}

const SHOWN_VALUE_LENGTH_MAX = 100

function hideSecret(key: string, value: unknown): unknown {
  return isSecretName(key) ? REDACTED : value
}

/** A value as JSON in backticks, truncated and without secrets; `undefined` if there is none. */
export function shown(value: unknown): string {
  const text = value === undefined ? 'undefined' : JSON.stringify(value, hideSecret)
  if (text.length <= SHOWN_VALUE_LENGTH_MAX) return `\`${text}\``
  // Do not end with half of a surrogate pair.
  return `\`${text.slice(0, SHOWN_VALUE_LENGTH_MAX).replace(/[\uD800-\uDBFF]$/, '')}…\``
}

/**
 * The error for a value that violates a rule: `body failed validation: body.to_do.checked should be a boolean, instead was `"yes"`.`
 * @param path a dotted path that begins with its location (`path`, `query` or `body`)
 */
export function validationError(path: string, expectation: string, value: unknown): ServiceError {
  return complaintError([{ path, claim: `should be ${expectation}`, value }])
}

/**
 * The error for one violated rule. Several complaints are alternative ways to fix it; the message lists them all.
 * @param failedPaths all invalid paths, if there is more than one
 */
export function complaintError(complaints: readonly Complaint[], failedPaths: readonly string[] = []): ServiceError {
  const location = locationOf(complaints[0]?.path ?? 'body')
  const start = `${location === 'headers' ? 'header' : location} failed validation`
  const [only = ''] = complaints.map(sentence)
  return new ServiceError('validation_error', {
    message: complaints.length > 1 ? [`${start}. Fix one:`, ...complaints.map(sentence)].join('\n') : `${start}: ${only}`,
    complaints,
    ...(failedPaths.length > 1 ? { additionalData: { failed_paths: failedPaths } } : {}),
  })
}

function sentence(complaint: Complaint): string {
  const { path, claim, value } = complaint
  if (!('value' in complaint)) return `${path} ${claim}.`
  return `${path} ${claim}, instead was ${shown(value !== undefined && isSecretPath(path) ? REDACTED : value)}.`
}

/** The error for a rule that the state of stored data violates, rather than a value. */
export function stateError(message: string): ServiceError {
  return new ServiceError('validation_error', { message })
}

function locationOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path
}
