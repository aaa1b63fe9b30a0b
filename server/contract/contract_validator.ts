import * as compiled from '../../generated/validators.js'
import { betas, flagOf } from './betas.ts'
import { loadContractDocument } from './contract_document.ts'
import { DocumentValidator } from './document_validator.ts'
import type { Operation } from './operation.ts'
import type { RequestParts } from './locations.ts'
import type { KeyRule } from './violations.ts'

/** Validates requests against the contract's JSON Schemas, which Ajv compiles. */
export class ContractValidator {
  readonly #byBetas = new Map<string, DocumentValidator>()
  /** The validator without betas, which nearly all requests use. */
  #plain: DocumentValidator | undefined

  /**
   * @param activeBetas the beta flags of the request
   * @param ignoresKey tells which unknown keys are removed instead of refused; the body is changed in place
   * @returns the parts, with query values converted to their types; empty arrays in place of objects become objects, in place
   * @throws ServiceError `validation_error` with the location of the first violation
   */
  validate(operation: Operation, parts: RequestParts, activeBetas: readonly string[] = [], ignoresKey?: KeyRule): RequestParts {
    return this.#validatorFor(activeBetas).validate(operation, parts, ignoresKey)
  }

  /** Names of the query parameters of an operation that are arrays, so that they may be repeated. */
  arrayParameters(operation: Operation): ReadonlySet<string> {
    return this.#validatorFor([]).arrayParameters(operation)
  }

  /** Creates the parts that the validators of all operations share. */
  prepare(): void {
    this.#validatorFor([])
  }

  #validatorFor(activeBetas: readonly string[]): DocumentValidator {
    return activeBetas.length === 0 ? (this.#plain ??= this.#makeValidator([])) : this.#validatorWith(activeBetas)
  }

  #validatorWith(activeBetas: readonly string[]): DocumentValidator {
    const key = activeBetas.toSorted().join(',')
    const cached = this.#byBetas.get(key)
    if (cached) return cached
    const validator = this.#makeValidator(activeBetas)
    this.#byBetas.set(key, validator)
    return validator
  }

  #makeValidator(activeBetas: readonly string[]): DocumentValidator {
    const document = loadContractDocument()
    for (const beta of betas) if (activeBetas.includes(flagOf(beta))) beta.tighten(document)
    return new DocumentValidator(document, activeBetas.length === 0 ? compiled : undefined)
  }
}

let shared: ContractValidator | undefined

/** The validator that all services of this process share. */
export function sharedValidator(): ContractValidator {
  return (shared ??= new ContractValidator())
}
