import { errorCodes, oauthErrorCodes, operationErrorCodes } from '../../generated/error_codes.ts'
import type { Operation, OperationId } from '../../generated/operations.ts'
import { ServiceError, shown } from '../kernel/errors.ts'
import type { FaultCode, FaultRule } from './fault_rule.ts'

const DELAY_MAX = 60_000
/** How many bytes of a truncated response are sent. Every response is longer. */
const TRUNCATED_BYTES = 10

/**
 * Parses the rule in a `Prefer` header, in the syntax of the mock: `code=429`, or an error code of the contract, `delay=500`,
 * `fault=disconnect`, `fault=truncate`.
 * @throws ServiceError `validation_error` for anything else
 */
export function preferredRule(header: string, operation: Operation): FaultRule {
  return header
    .split(/[,;]/)
    .map((part) => part.split('=', 2).map((text) => text.trim()))
    .reduce<FaultRule>((rule, [name = '', value = '']) => ({ ...rule, ...effectOf(name.toLowerCase(), value, operation) }), {})
}

function effectOf(name: string, value: string, operation: Operation): FaultRule {
  if (name === 'code') return { code: codeOf(value, operation) }
  if (name === 'delay' && /^\d{1,5}$/.test(value) && Number(value) <= DELAY_MAX) return { delay: Number(value) }
  if (name === 'fault' && value === 'disconnect') return { drop: 'before' }
  if (name === 'fault' && value === 'truncate') return { cut: TRUNCATED_BYTES }
  throw refused(
    `should be \`code\`, \`delay\` of at most \`${DELAY_MAX}\` milliseconds, \`fault=disconnect\` or \`fault=truncate\``,
    `${name}=${value}`,
  )
}

function codeOf(value: string, operation: Operation): FaultCode {
  const codes: readonly FaultCode[] = operationErrorCodes[operation.id as OperationId]
  const found = codes.find((code) => code === value || statusesOf(code, operation).includes(Number(value)))
  if (found === undefined)
    throw refused(`code should be an error, or the status of an error, that ${operation.id} can return`, value)
  return found
}

function statusesOf(code: FaultCode, { credentials }: Operation): readonly number[] {
  if (credentials === 'client') return oauthErrorCodes[code as keyof typeof oauthErrorCodes].statuses
  return [errorCodes[code as keyof typeof errorCodes].status]
}

function refused(complaint: string, value: string): ServiceError {
  return new ServiceError('validation_error', {
    message: `Prefer header failed validation: ${complaint}, instead was ${shown(value)}.`,
  })
}
