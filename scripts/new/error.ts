import { parse } from 'yaml'
import { at, requireNewComponent, exampleId } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { addBefore, addEntry } from './edits.ts'
import type { Kind } from './kind.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf, spaced } from './words.ts'

const SCHEMAS = 'spec/shared/schemas'
const ALL = `${SCHEMAS}/ErrorObject.yaml`
const RESPONSES = 'spec/shared/errors/api.yaml'
const CODE = /^[a-z][a-z]*(?:_[a-z]+)*$/

/** `npm run new error badge_taken 409` */
export const error: Kind = {
  parameters: ['code', 'status'],
  says: 'an error code, such as: badge_taken 409',
  callers: 'callers: a new code breaks programs that know every code; most handle the status alone',
  draft(draft, [code = '', status = '']) {
    if (!CODE.test(code))
      throw new UsageError(`${code} is not a valid error code: error codes are in snake_case, as in badge_taken.`)
    if (at(parse(draft.read(ALL)), 'discriminator', 'mapping', code) !== undefined)
      throw new UsageError(`${code} exists already: ${ALL}.`)
    const { response, body } = bodyOf(draft, status)
    const stem = pascalOf(code.replace(/_error$/, ''))
    for (const name of [`${stem}Error`, `Error${stem}`]) requireNewComponent(draft, name)
    draft.create(`${SCHEMAS}/${stem}Error.yaml`, schemaText(code, status))
    draft.create(`spec/shared/examples/Error${stem}.yaml`, exampleText(draft, code, status))
    for (const union of [ALL, body]) {
      draft.change(union, (text) => addEntry(text, ['oneOf'], `- $ref: ./${stem}Error.yaml`))
      draft.change(union, (text) => addEntry(text, ['discriminator', 'mapping'], `${code}: ./${stem}Error.yaml`))
    }
    const example = `${code}:\n  $ref: ../examples/Error${stem}.yaml`
    draft.change(response, (text) => addEntry(text, ['content', 'application/json', 'examples'], example))
    addToTable(draft, code, status)
    addToOAuth(draft, code)
    draft.create(`tests/protocol/${code}.test.ts`, testText(code, status))
    return [
      `the order of checks in spec/info.yaml names ${code} where it is checked`,
      `new ServiceError('${code}', { message }) must be thrown in server/domain/; tests/completeness.test.ts checks it`,
    ]
  },
}

/** The response of a status and the union of its bodies. @throws UsageError for a status that cannot have several codes */
function bodyOf(draft: FileDraft, status: string): { response: string; body: string } {
  const responses: unknown = parse(draft.read(RESPONSES))
  const isUnion = (file: string): boolean => Array.isArray(at(parse(draft.read(file)), 'oneOf'))
  const found = Object.keys(responses ?? {}).flatMap((known) => {
    const response = `spec/shared/responses/${fileName(at(responses, known, '$ref'))}`
    const schema = at(parse(draft.read(response)), 'content', 'application/json', 'schema', '$ref')
    const body = `${SCHEMAS}/${fileName(schema)}`
    return isUnion(body) ? [{ known, response, body }] : []
  })
  const one = found.find(({ known }) => known === status)
  if (one !== undefined) return one
  throw new UsageError(
    `Only the statuses ${found.map(({ known }) => known).join(', ')} have several error codes, not "${status}".`,
  )
}

const fileName = (ref: unknown): string => String(ref).split('/').at(-1) ?? ''

function schemaText(code: string, status: string): string {
  return `type: object
description: "TODO: say when it comes, and what the caller should do."
# TODO: may callers retry it: always, idempotent_only or never?
x-retry: never
allOf:
  - $ref: ./ErrorBase.yaml
required:
  - status
  - code
properties:
  status:
    type: integer
    description: The HTTP status, repeated.
    const: ${status}
  code:
    type: string
    description: The stable name of this error.
    const: ${code}
  additional_data:
    $ref: ./ErrorAdditionalData.yaml
`
}

function exampleText(draft: FileDraft, code: string, status: string): string {
  return `summary: "TODO: say in a few words what is wrong."
value:
  object: error
  status: ${status}
  code: ${code}
  message: "TODO: write the message as callers read it."
  request_id: ${exampleId(draft, 'Request')}
`
}

function addToTable(draft: FileDraft, code: string, status: string): void {
  draft.change('spec/info.yaml', (text) => {
    const [row] = new RegExp(`^ *\\| ${status} \\| \`.*\` \\|$`, 'm').exec(text) ?? []
    if (row === undefined) throw new Error(`spec/info.yaml has no row of codes for ${status}`)
    return text.replace(row, row.replace(/ \|$/, `, \`${code}\` |`))
  })
}

function addToOAuth(draft: FileDraft, code: string): void {
  const lines = `  // TODO: choose what the OAuth endpoints return instead.\n  ${code}: 'invalid_request',\n`
  draft.change('server/kernel/oauth_error.ts', (text) => addBefore(text, '}\n\n/** An error of the API as', lines))
}

function testText(code: string, status: string): string {
  return `import { it } from 'vitest'
import { expectError } from '../harness/expectations.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()

// TODO: say in the title what causes it, and cause it on each operation that can return it.
it('${status} ${spaced(code)}', async () => {
  const response = await server.owner.call('retrieveMe')
  expectError(response, ${status}, '${code}')
})
`
}
