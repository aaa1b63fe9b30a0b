import type { Capability, CapabilityRule, Operation } from '../../../generated/operations.ts'
import { ServiceError } from '../../kernel/errors.ts'
import type { Actor } from './actor.ts'

/**
 * Checks the capabilities that an operation declares. The check depends only on the token and the operation, so that the response
 * does not reveal whether the target exists.
 * @throws ServiceError `restricted_resource`
 */
export function requireCapability(actor: Actor, operation: Operation): void {
  if (!actor.callsApi)
    throw new ServiceError('restricted_resource', { message: 'This personal access token may not call the API.' })
  if (!operation.tokenKinds.includes(actor.tokenKind)) {
    throw new ServiceError('restricted_resource', { message: `${operation.id} cannot be called with this kind of token.` })
  }
  const missing = missingCapability(actor, operation.capability)
  if (missing === undefined) return
  const words = typeof missing === 'string' ? missing : missing.join(' or ')
  throw new ServiceError('restricted_resource', {
    message: `${callerName(actor)} lacks the capability ${words}, which ${operation.id} needs.`,
    additionalData: { required_capability: missing },
  })
}

/**
 * Checks additional capabilities for a part of a request.
 * @param what the part, for the message
 * @throws ServiceError `restricted_resource`
 */
export function requireCapabilities(actor: Actor, needed: readonly Capability[], what: string): void {
  const missing = needed.find((capability) => !actor.capabilities.has(capability))
  if (missing === undefined) return
  throw new ServiceError('restricted_resource', {
    message: `${callerName(actor)} lacks the capability ${missing}, which ${what} needs.`,
    additionalData: { required_capability: missing },
  })
}

function missingCapability(actor: Actor, rule: CapabilityRule): string | readonly string[] | undefined {
  if (rule === 'none') return undefined
  if ('all' in rule) {
    return rule.all.find((capability) => !actor.capabilities.has(capability))
  }
  if (rule.any.some((capability) => actor.capabilities.has(capability))) return undefined
  return rule.any.length === 1 ? rule.any[0] : rule.any
}

function callerName(actor: Actor): string {
  return actor.connectionName === undefined ? 'The token' : `The connection "${actor.connectionName}"`
}
