import { parse } from 'yaml'
import { verbs } from '../../spec/rules/support/verbs.js'
import { at, componentFile, pathItems } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { addEntry } from './edits.ts'
import type { Kind } from './kind.ts'
import { addHandler, addOperationTests } from './operation_code.ts'
import {
  draftResponse,
  METHODS,
  operationText,
  parameterText,
  pathItemHead,
  requestOf,
  type NewOperation,
} from './operation_contract.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf, sentence, singular } from './words.ts'
import { isObject } from '../../server/kernel/is_object.ts'

const OPENAPI = 'spec/openapi.yaml'

/** `npm run new operation retrieveBadge GET '/v1/badges/{badge_id}' 2026-03-11` */
export const operation: Kind = {
  parameters: ['operationId', 'METHOD', 'path', 'since'],
  says: "an operation, such as: retrieveBadge GET '/v1/badges/{badge_id}' always; <since> is `always` or the release date that introduces it",
  callers: 'callers: a new operation does not break programs',
  draft(draft, [id = '', method = '', path = '', since = '']) {
    const parts = partsOf(draft, id, method, path, since)
    requireNew(draft, parts)
    const isFirst = !draft.has(`server/handlers/${parts.resource}.ts`)
    addPath(draft, parts)
    if (parts.since !== undefined) addToRelease(draft, parts, parts.since)
    draftResponse(draft, parts)
    requestOf(draft, parts)
    addHandler(draft, parts)
    addOperationTests(draft, parts)
    return remainingSteps(parts, isFirst)
  },
}

/** @param isFirst whether its resource is new */
function remainingSteps({ id, resource, method, parameters, isList }: NewOperation, isFirst: boolean): string[] {
  const tests = [
    `operations/${resource}/${id}`,
    'protocol/every_operation',
    ...(parameters.length > 0 ? ['access/border'] : []),
    ...(method === 'get' ? [] : ['events/every_operation']),
    ...(isList ? ['protocol/list_types', 'store/costs'] : []),
  ]
  return [
    'its queries belong in server/store/; rowOf in row_shape.ts there gives their rows types: a column of few values lists them',
    ...(isFirst
      ? [
          'a table of its own: npm run new table <name>, which makes its migration and its queries',
          'the page, block or other record that a request names is found by what access.ts of its folder in server/domain/ exports, such as requirePage',
        ]
      : []),
    ...(parameters.length > 0
      ? [
          'a new kind of record for notFound belongs in RecordKind of server/domain/shared/failures.ts, and in border_kinds.ts and border_world.ts of tests/access/support/',
          'what its requests can name gets a row in tests/access/support/border_target_rows.ts; a parameter that names what everybody in the workspace sees goes into SEEN_WITHOUT_SHARING of tests/protocol/every_operation.test.ts',
        ]
      : []),
    ...(isList
      ? ['what its query reads gets a row in tests/store/costs.test.ts, or in a file beside it such as view_statements.ts']
      : []),
    `these tests must pass: npx vitest run ${tests.map((test) => `tests/${test}.test.ts`).join(' ')}`,
  ]
}

/** Parses the arguments. @throws UsageError if one does not have the form that the contract requires */
function partsOf(draft: FileDraft, id: string, writtenMethod: string, path: string, since: string): NewOperation {
  const method = METHODS.find((one) => one === writtenMethod.toLowerCase())
  if (method === undefined)
    throw new UsageError(`${writtenMethod} is not a method of this API, which has GET, POST, PATCH and DELETE.`)
  if (!/^\/v1\/[a-z][a-z0-9_]*(?:\/[a-z][a-z0-9_]*|\/\{[a-z][a-z0-9_]*\})*$/.test(path))
    throw new UsageError(`${path} is not a valid path: paths begin with /v1/ and are in snake_case, as in /v1/badges/{badge_id}.`)
  const verb = verbs.find((one) => id.startsWith(one) && /^[A-Z][A-Za-z]*$/.test(id.slice(one.length)))
  if (verb === undefined)
    throw new UsageError(`${id} is not a valid operationId: it is a verb, one of ${verbs.join(', ')}, followed by a noun.`)
  const isList = ['list', 'query', 'search'].includes(verb)
  const noun = id.slice(verb.length)
  const [resource = ''] = path.split('/').slice(2)
  if (resource === 'oauth') throw new UsageError('Operations of OAuth have responses in a special form; write them by hand.')
  if (since !== 'always' && !draft.has(releaseFile(since)))
    throw new UsageError(`${since} is not a release date: name the one since which ${id} exists, or always.`)
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  return {
    id,
    verb,
    method,
    path,
    resource,
    tag: tagOf(draft, resource),
    parameters,
    isList,
    object: isList ? singular(noun) : noun,
    ...(since !== 'always' && { since }),
  }
}

function tagOf(draft: FileDraft, resource: string): string {
  const own = pathItems(draft).filter(({ file }) => file.startsWith(`spec/resources/${resource}/`))
  const operations = own.flatMap(({ item }) => (isObject(item) ? Object.values(item) : []))
  const tags = operations.map((one) => at(one, 'tags')).find(Array.isArray)
  return tags === undefined ? sentence(resource) : String(tags[0])
}

const releaseFile = (date: string): string => `spec/versions/${date}.yaml`

/** Adds the operation to the changes of its first release. */
function addToRelease(draft: FileDraft, { id, method, path }: NewOperation, date: string): void {
  draft.change(releaseFile(date), (text) => {
    const [letter = 'A', last = '0'] = [...text.matchAll(/^- id: ([A-Z])(\d+)$/gm)].at(-1)?.slice(1) ?? []
    return `${text.trimEnd()}

- id: ${letter}${Number(last) + 1}
  about: "TODO: one sentence for the list of changes."
  where: '\`${method.toUpperCase()} ${path}\`'
  old: there is no such operation
  new: it exists
  operations: [${id}]
  kind: availability
`
  })
}

function requireNew(draft: FileDraft, { id, method, path }: NewOperation): void {
  for (const { file, item } of pathItems(draft)) {
    if (!isObject(item)) continue
    if (Object.values(item).some((one) => at(one, 'operationId') === id)) throw new UsageError(`${id} exists already: ${file}.`)
  }
  const alike = pathsOf(draft).find(([known]) => shapeOf(known) === shapeOf(path))
  if (alike === undefined) return
  if (alike[0] !== path) throw new UsageError(`${path} and ${alike[0]}, which exists already, are the same path.`)
  if (isObject(at(parse(draft.read(alike[1])), method)))
    throw new UsageError(`${method.toUpperCase()} ${path} exists already: ${alike[1]}.`)
}

const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '{}')

/** The paths of the contract, each with the file of its path item. */
function pathsOf(draft: FileDraft): [string, string][] {
  const paths = at(parse(draft.read(OPENAPI)), 'paths')
  if (!isObject(paths)) throw new Error(`${OPENAPI} has no paths`)
  return Object.entries(paths).map(([path, item]) => [path, `spec/${String(at(item, '$ref')).replace(/^\.\//, '')}`])
}

function addPath(draft: FileDraft, parts: NewOperation): void {
  const { path, resource, tag } = parts
  const known = pathsOf(draft).find(([one]) => one === path)
  if (known !== undefined) {
    draft.change(known[1], (text) => `${text}${operationText(draft, known[1], parts)}`)
    return
  }
  const file = `spec/resources/${resource}/paths/${itemName(path)}.yaml`
  const parameters = parts.parameters.map((name) => pathParameter(draft, resource, name))
  draft.create(file, pathItemHead(file, parameters) + operationText(draft, file, parts))
  const siblings = pathsOf(draft).filter(([one]) => one.startsWith(`/v1/${resource}/`) || one === `/v1/${resource}`)
  const entry = `${path}:\n  $ref: ${file.replace(/^spec/, '.')}`
  draft.change(OPENAPI, (text) => addEntry(text, ['paths'], entry, siblings.at(-1)?.[0]))
  const tags = at(parse(draft.read(OPENAPI)), 'tags')
  if (Array.isArray(tags) && tags.some((one) => at(one, 'name') === tag)) return
  const tagEntry = `- name: ${tag}\n  description: "TODO: say in one line what these operations are about."`
  draft.change(OPENAPI, (text) => addEntry(text, ['tags'], tagEntry))
}

/** `/v1/badges/{badge_id}/rolls` -> `badge_rolls` */
function itemName(path: string): string {
  const segments = path.split('/').slice(2)
  const named = segments.filter((segment, index) => segment.startsWith('{') || !segments[index + 1]?.startsWith('{'))
  return named.map((segment) => segment.replace(/^\{(\w+?)(?:_id)?\}$/, '$1')).join('_')
}

/** The file of a path parameter, which is drafted if the contract does not have it. */
function pathParameter(draft: FileDraft, resource: string, name: string): string {
  const component = pascalOf(name)
  const known = componentFile(draft, component)
  if (known?.includes('/parameters/') && at(parse(draft.read(known)), 'in') === 'path') return known
  if (known !== undefined)
    throw new UsageError(`{${name}} would be the parameter ${component}, which is something else already: ${known}.`)
  const file = `spec/resources/${resource}/parameters/${component}.yaml`
  draft.create(file, parameterText(draft, file, name))
  return file
}
