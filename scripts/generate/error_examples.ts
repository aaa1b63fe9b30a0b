/** `error_examples.ts`: the example of each error code. */

import { isReference, operationsOf, type Document, type JsonValue } from './document.ts'
import type { ErrorCodeTables } from './error_codes.ts'
import { ContractFaults } from './faults.ts'
import { faultAt } from './fault_locations.ts'
import { banner, typescriptLiteral } from './text.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/**
 * Takes the first example of each code, the plainest of several.
 * @throws ContractFaults with the codes that have none
 */
export function errorExamplesModule(document: Document, { api, oauth }: ErrorCodeTables): string {
  const bodies = Object.values(document.components.examples ?? {}).flatMap(({ value }) => (isObject(value) ? [value] : []))
  const ofOAuth = bodies.filter((body) => typeof body['error'] === 'string')
  const ofApi = bodies.filter((body) => body['object'] === 'error' && body['error'] === undefined)
  const missing: string[] = []
  const entries = (codes: ErrorCodeTables['api'], examples: typeof bodies, key: 'code' | 'error'): string =>
    codes
      .map(({ code, schema, statuses }) => {
        const ofCode = examples.filter((body) => body[key] === code)
        const example = ofCode.find((body) => body['additional_data'] === undefined) ?? ofCode[0]
        if (example === undefined) missing.push(faultAt(['components', 'schemas', schema], `no example shows the error ${code}`))
        return `  ${code}: ${typescriptLiteral({ ...detailsOf(example ?? {}), ...(key === 'code' && { repeatsVersion: repeatsVersion(document, statuses) }) })},`
      })
      .join('\n')
  const [apiEntries, oauthEntries] = [entries(api, ofApi, 'code'), entries(oauth, ofOAuth, 'error')]
  if (missing.length > 0) throw new ContractFaults(missing)
  return `${banner('What the examples of the contract say for each error code.')}
import type { ErrorCodeName, OAuthErrorCodeName } from './error_codes.ts';

export interface ErrorExample {
  readonly message: string;
  readonly additionalData?: Readonly<Record<string, string | readonly string[]>>;
}

export interface ApiErrorExample extends ErrorExample {
  /** whether its response always has the version, so that the version must be known first */
  readonly repeatsVersion: boolean;
}

/** Errors of the API, by \`code\`. */
export const errorExamples: Readonly<Record<ErrorCodeName, ApiErrorExample>> = {
${apiEntries}
};

export interface OAuthErrorExample extends ErrorExample {
  readonly code: string;
  readonly status: number;
}

/** Errors of the OAuth endpoints, by \`error\`. */
export const oauthErrorExamples: Readonly<Record<OAuthErrorCodeName, OAuthErrorExample>> = {
${oauthEntries}
};
`
}

function detailsOf(body: Readonly<Record<string, JsonValue | undefined>>): object {
  const { message, additional_data: additionalData } = body
  // Errors of the OAuth endpoints have a code beside their name, and some have several statuses.
  const { code, status } = body
  const own = body['error'] === undefined ? {} : { code, status }
  return { message, ...(additionalData !== undefined && { additionalData }), ...own }
}

/** Whether responses of bearer operations with this status must carry the version. */
function repeatsVersion(document: Document, [status]: readonly number[]): boolean {
  const { responses = {}, headers = {} } = document.components
  return operationsOf(document).some(({ operation }) => {
    if ((operation['x-credentials'] ?? 'bearer') !== 'bearer') return false
    const declared = operation.responses[String(status)]
    if (declared === undefined) return false
    const response = isReference(declared) ? responses[declared.$ref.slice('#/components/responses/'.length)] : declared
    const header = response?.headers?.['Service-Version']
    if (header === undefined) return false
    const resolved = isReference(header) ? headers[header.$ref.slice('#/components/headers/'.length)] : header
    return resolved?.required === true
  })
}
