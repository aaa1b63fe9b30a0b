/** The files of an operation in `server/` and `tests/`. */

import { dirname, posix } from 'node:path'
import type { FileDraft } from './file_draft.ts'
import { addBefore, addImport } from './edits.ts'
import { responseName, newRequestName, type NewOperation } from './operation_contract.ts'
import { camel, singular, snake } from './words.ts'

const INDEX = 'server/handlers/index.ts'
const SHARED = 'server/domain/shared/index.ts'
const REGISTERED = '} satisfies Partial<Handlers>'
const COVERAGE_END = '}\n\n/** The resource that calls an operation. */'

/** Drafts the handler of an operation and the domain function that it calls. */
export function addHandler(draft: FileDraft, parts: NewOperation): void {
  const { id, resource, isList } = parts
  const file = `server/handlers/${resource}.ts`
  const folder = rulesFolder(draft, resource)
  const rules = `${folder}/${snake(id)}.ts`
  draft.create(rules, rulesText(parts, folder))
  const index = `${folder.split('/', 3).join('/')}/index.ts`
  draft.change(index, (text) => `${text}export { ${id} } from './${posix.relative(dirname(index), rules)}'\n`)
  if (!draft.has(file)) {
    draft.create(file, `\nexport const ${handlersOf(resource)} = {\n${REGISTERED}\n`)
    register(draft, resource)
  }
  const kind = reads(parts) ? 'read' : 'write'
  draft.change(file, (text) => {
    const added = addBefore(
      text,
      REGISTERED,
      `  ${id}: ${kind}((scope${callOf(parts) === '' ? '' : ', call'}) => ${id}(scope${callOf(parts)})),\n`,
    )
    const handled = addImport(added, './handler.ts', added.includes("'./handler.ts'") ? [kind] : [kind, 'type Handlers'])
    const handler = isList ? addImport(handled, './paging.ts', ['pageRequest']) : handled
    return addImport(handler, posix.relative('server/handlers', index), [id])
  })
  if (parts.method !== 'get') addCoverage(draft, parts)
}

/** Adds the operation to the coverage of `conform --full`, which calls every operation except GET operations or lists a reason. */
function addCoverage(draft: FileDraft, parts: NewOperation): void {
  const todo = '  // TODO: name the resource of the run that calls it, or say why none does.\n'
  const row = reads(parts) ? `  ${parts.id}: READS,\n` : `${todo}  ${parts.id}: 'it is not called yet',\n`
  draft.change('conformance/src/conform/full/coverage.ts', (text) => addBefore(text, COVERAGE_END, row))
}

const handlersOf = (resource: string): string => `${camel(singular(resource))}Handlers`
const reads = ({ method, isList }: NewOperation): boolean => method === 'get' || isList

/** The arguments of the domain function, taken from the request. */
function callOf(parts: NewOperation): string {
  const { parameters, isList, method } = parts
  const paging = method === 'get' ? 'pageRequest(call.query)' : "pageRequest(call.body ?? {}, 'body')"
  const body = newRequestName(parts) === undefined ? [] : ['call.body']
  return [...parameters.map((name) => `call.path.${name}`), ...(isList ? [paging] : body)].map((one) => `, ${one}`).join('')
}

function register(draft: FileDraft, resource: string): void {
  draft.change(INDEX, (text) => {
    const listed = text.replace(/^\}\n*$/m, `  ...${handlersOf(resource)},\n}`)
    return addImport(listed, `./${resource}.ts`, [handlersOf(resource)])
  })
}

/** The folder of the resource in the domain; for a new resource, one in the module of pages and databases. */
function rulesFolder(draft: FileDraft, resource: string): string {
  const folders = draft.files('server/domain', '.ts').map((file) => dirname(file))
  return folders.find((folder) => folder.endsWith(`/${resource}`)) ?? `server/domain/data/${resource}`
}

function rulesText(parts: NewOperation, folder: string): string {
  if (parts.isList) return listRulesText(parts, folder)
  const { id, parameters } = parts
  const scope = reads(parts) ? 'Scope' : 'WriteScope'
  const request = newRequestName(parts)
  const takesBody = request !== undefined
  const types = [responseName(parts), ...(takesBody ? [request] : [])].toSorted().join(', ')
  const taken = [
    `_scope: ${scope}`,
    ...parameters.map((name) => `_${camel(name)}: string`),
    ...(takesBody ? [`_request: ${request}`] : []),
  ]
  return `import type { ${types} } from '${posix.relative(folder, 'generated/types.ts')}'
import type { ${scope} } from '${posix.relative(folder, SHARED)}'

/**
 * TODO: say what it does, and which errors it throws.
 */
export function ${id}(${taken.join(', ')}): Promise<${responseName(parts)}> {
  return Promise.reject(new Error('TODO: write ${id}'))
}
`
}

function listRulesText(parts: NewOperation, folder: string): string {
  const { id, parameters, object } = parts
  const [response, type] = [responseName(parts), snake(object)]
  const taken = ['{ cursors }: Scope', ...parameters.map((name) => `_${camel(name)}: string`), 'request: PageRequest']
  return `import type { ${response} } from '${posix.relative(folder, 'generated/types.ts')}'
import { cutPage, positionOf, presentPaging, type PageRequest, type Scope } from '${posix.relative(folder, SHARED)}'

/**
 * TODO: say what it lists, in which order, and which errors it throws.
 */
export async function ${id}(${taken.join(', ')}): Promise<${response}> {
  const after = positionOf(cursors, request)
  // TODO: read what comes after this key in an order that is never a tie, one row more than the page shows.
  const rows: ${response}['results'] = await Promise.reject(new Error(\`TODO: list what comes after \${String(after)}\`))
  // TODO: keep this key, or name all columns of the order.
  const page = cutPage(cursors, rows, request, ({ id }) => [id])
  return { object: 'list', type: '${type}', ${type}: {}, results: [...page.items], ...presentPaging(page) }
}
`
}

/** Drafts the test of an operation, and its rows in the tests of all operations. */
export function addOperationTests(draft: FileDraft, parts: NewOperation): void {
  const { id, resource, method, isList, object } = parts
  draft.create(`tests/operations/${resource}/${id}.test.ts`, testText(parts))
  if (isList) {
    const row = `  ['${id}', '${snake(object)}'${method === 'get' ? '' : ', () => ({ body: {} })'}],\n`
    draft.change('tests/protocol/list_types.test.ts', (text) => addBefore(text, ']\n\nit.each(lists)', row))
  }
  if (method !== 'get') {
    const row = `  // TODO: name the events that come of it.\n  ${id}: NOTHING,\n`
    draft.change('tests/events/support/operation_rows.ts', (text) => addBefore(text, '}\n\n/** A request for an operation', row))
  }
}

function testText(parts: NewOperation): string {
  const { id, isList, object } = parts
  return `import { describe, expect, it } from 'vitest'
import { allOperations, exampleCall } from '../../harness/every_operation.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

describe('${id}', () => {
  // TODO: describe the response in the title.
  it('200', async () => {
    const operation = allOperations.find(({ id }) => id === '${id}')
    if (!operation) throw new Error('The contract has no ${id}')
    // TODO: call it with records of this test, and compare the whole response.
    const { status, body } = await server.owner.call('${id}', exampleCall(operation))
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: '${isList ? 'list' : snake(object)}' })
  })
  // TODO: test every other status that callers can meet: makeConnection (tests/harness/connections.ts) gives a caller fewer rights,
  // expectError, expectInvalid and expectNotFound (expectations.ts beside it) check responses.
})
`
}
