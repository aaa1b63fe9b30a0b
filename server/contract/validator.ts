import * as compiled from '../../generated/validators.js'
import { betas, flagOf } from './betas.ts'
import { loadContract } from './document.ts'
import { DocumentValidator } from './document_validator.ts'
import type { Operation } from './operation.ts'
import type { RequestParts } from './places.ts'
import type { KeyRule } from './violations.ts'

/**
 * Holds requests against the contract. express-openapi-validator does it, with the operation already found (see `EovAdapter`).
 */
export class ContractValidator {
  readonly #byBetas = new Map<string, DocumentValidator>()

  /**
   * @param activeBetas flags that tighten the contract for this request
   * @param ignoresKey unknown keys that are left out instead of refused; the body is changed in place
   * @returns the parts with query values in their declared types and defaults filled in
   * @throws ServiceError `validation_error` with the exact place of the first violation
   */
  validate(
    operation: Operation,
    parts: RequestParts,
    headers: Readonly<Record<string, string>>,
    activeBetas: readonly string[] = [],
    ignoresKey?: KeyRule,
  ): RequestParts {
    return this.#validatorFor(activeBetas).validate(operation, parts, headers, ignoresKey)
  }

  /** Query parameters of an operation that are lists and may be repeated. */
  listParameters(operation: Operation): ReadonlySet<string> {
    return this.#validatorFor([]).listParameters(operation)
  }

  /** Compiles the validators of the given operations, so that no request pays for it. */
  warm(operations: readonly Operation[]): void {
    const validator = this.#validatorFor([])
    for (const operation of operations) validator.warm(operation)
  }

  #validatorFor(activeBetas: readonly string[]): DocumentValidator {
    const key = activeBetas.toSorted().join(',')
    const known = this.#byBetas.get(key)
    if (known) return known
    const document = loadContract()
    for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)
    const validator = new DocumentValidator(document, activeBetas.length === 0 ? compiled : undefined)
    this.#byBetas.set(key, validator)
    return validator
  }
}

let shared: ContractValidator | undefined

/** The validator of this process: compiled once, however many services it starts. */
export function sharedValidator(): ContractValidator {
  return (shared ??= new ContractValidator())
}
