import { readFileSync } from 'node:fs'
import { parseContractDocument } from '@workspace-service/server/contract/contract_document.ts'
import { DocumentOperations } from '@workspace-service/server/contract/document_operations.ts'
import { DocumentValidator } from '@workspace-service/server/contract/document_validator.ts'

/** The paths of the control API whose request bodies define the form of agents and scripts. */
type Form = '/v1/agents' | '/v1/agents/{agent_id}/scripts'

let prepared: ((form: Form, body: unknown) => void) | undefined

/** Checks an agent, or turns, against the contract of the control API. @throws ServiceError `validation_error` with the path in `body` */
export function requireForm(form: Form, body: unknown): void {
  prepared ??= prepare()
  prepared(form, body)
}

function prepare(): (form: Form, body: unknown) => void {
  const file = new URL('../../../generated/control.server.json', import.meta.url)
  const document = parseContractDocument(readFileSync(file, 'utf8'))
  const [operations, validator] = [new DocumentOperations(document), new DocumentValidator(document)]
  return (form, body) => {
    const match = operations.find('POST', form.slice(1).split('/'))
    if (match === undefined || !('operation' in match)) throw new Error(`the contract of the control API has no schema ${form}`)
    validator.validate(match.operation, { path: match.path, query: {}, body })
  }
}
