/** Faults of a contract, at least one for each lint rule, as edits of the contract of notes in `tests/spec/fixtures/contract`. */

import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export interface PlantedFault {
  /** the rule that reports it */
  readonly rule: string
  readonly title: string
  plant(folder: string): void
}

/** Edits of one file, each of which must find its text. */
export function edited(file: string, ...edits: readonly (readonly [from: string, to: string])[]): PlantedFault['plant'] {
  return (folder) => {
    const path = join(folder, file)
    let text = readFileSync(path, 'utf8')
    for (const [from, to] of edits) {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      text = text.replace(from, () => to)
    }
    writeFileSync(path, text)
  }
}

/** Stores a release with only these operations. */
export function release(folder: string, ids: readonly string[]): void {
  const paths = Object.fromEntries(ids.map((operationId) => [`/${operationId}`, { get: { operationId } }]))
  mkdirSync(join(folder, 'released'))
  writeFileSync(join(folder, 'released/openapi.json.gz'), gzipSync(JSON.stringify({ info: {}, paths })))
}

const both =
  (...plants: readonly PlantedFault['plant'][]): PlantedFault['plant'] =>
  (folder) => {
    for (const plant of plants) plant(folder)
  }

const notes = (name: string): string => `resources/notes/${name}.yaml`
const shared = (name: string): string => `shared/${name}.yaml`
const ROOT = 'openapi.yaml'
const VERSION = 'versions/2026-03-11.yaml'
const WORKFLOW = 'workflows/keep_a_note.arazzo.yaml'
const BETA = '  - $ref: ../../../shared/parameters/ServiceBeta.yaml\n'
const KEY = '  parameters:\n    - $ref: ../../../shared/parameters/IdempotencyKey.yaml\n'
const BAD_REQUEST = "    '400': { $ref: ../../../shared/responses/BadRequest.yaml }\n"
const TOO_MANY = "    '429': { $ref: ../../../shared/responses/TooManyRequests.yaml }\n"

const projectRules: readonly (readonly [rule: string, title: string, plant: PlantedFault['plant']])[] = [
  ['array-items', 'a list of anything', edited(notes('schemas/ListNote'), ['type: array\n', 'type: array\nx-items:\n'])],
  ['capabilities', 'a scope that there is not', edited(notes('paths/note'), ['{ all: [read_content] }', '{ all: [fly] }'])],
  ['closed-requests', 'an open request', edited(notes('schemas/ListNoteUpdateRequest'), ['additionalProperties: false\n', ''])],
  ['common-headers', 'operations without a header', edited(notes('paths/notes'), [BETA, ''])],
  [
    'component-names',
    'a file renamed, with a number at the end',
    both(
      (folder) => renameSync(join(folder, notes('schemas/NoteTextRequest')), join(folder, notes('schemas/NoteText2'))),
      edited(notes('schemas/TextNoteRequest'), ['./NoteTextRequest.yaml', './NoteText2.yaml']),
      edited(notes('schemas/TextNoteUpdateRequest'), ['./NoteTextRequest.yaml', './NoteText2.yaml']),
    ),
  ],
  [
    'deprecations',
    'no replacement',
    edited(notes('paths/notes'), ['summary: List notes', 'summary: List notes\n  deprecated: true']),
  ],
  ['descriptions', 'a schema that many use', edited(shared('schemas/Color'), ['description: ', 'x-was: '])],
  [
    'reference-siblings',
    'a limit beside a reference',
    edited(notes('parameters/NoteId'), ['IdRequest.yaml }', 'IdRequest.yaml, minLength: 1 }']),
  ],
  ['error-set', 'a missing response', edited(notes('paths/note_changes'), [TOO_MANY, ''])],
  [
    'examples-of-requests',
    'an example in a schema',
    edited(shared('schemas/StringRequest'), ['minLength: 1', 'minLength: 1\nexample: Rope']),
  ],
  [
    'examples-present',
    'a body without an example',
    edited(notes('paths/note_attachment'), [
      '        examples:\n          drawing: { $ref: ../examples/SendAttachment.yaml }\n',
      '',
    ]),
  ],
  [
    'id-parameters',
    'an id with dashes alone',
    edited(notes('parameters/NoteId'), ['{ $ref: ../../../shared/schemas/IdRequest.yaml }', '{ type: string, format: uuid }']),
  ],
  [
    'branded-values',
    'the form of another value',
    edited(notes('schemas/NoteBase'), [', const: note', ", const: note, x-branded: {tide: '{brand}'}"]),
  ],
  ['idempotency-key', 'an operation without one', edited(notes('paths/note_attachment'), [KEY, ''])],
  ['nonempty-strings', 'a text that many use', edited(shared('schemas/StringRequest'), ['minLength: 1\n', ''])],
  [
    'plain-words',
    'a phrase that makes a reader stop',
    edited(notes('schemas/NoteList'), ['description: ', 'description: Made anew. ']),
  ],
  ['object-constant', 'responses of many operations', edited(notes('schemas/NoteBase'), [', const: note', ''])],
  [
    'open-responses',
    'a closed response',
    edited(notes('schemas/NoteList'), ['type: object', 'type: object\nadditionalProperties: false']),
  ],
  [
    'operation-ids',
    'a verb that there is not',
    edited(notes('paths/note_attachment'), ['operationId: sendNoteAttachment', 'operationId: throwNoteAttachment']),
  ],
  ['pagination', 'items under another name', edited(notes('paths/notes'), ['items: results', 'items: notes'])],
  ['payload-unions', 'a variant that requires its tag', edited(notes('schemas/ListNoteRequest'), ['[list]', '[type, list]'])],
  ['property-names', 'a name in camel case', edited(notes('schemas/AttachmentRequest'), ['part_number', 'partNumber'])],
  [
    'read-only-members',
    'a response with a member that its update lacks',
    edited(notes('schemas/NoteBase'), ['const: note }', 'const: page }\n  created_time: { type: string, description: When. }']),
  ],
  [
    'required-properties',
    'a key without a description',
    edited(notes('schemas/NoteList'), ['[object, type,', '[object, name, type,']),
  ],
  [
    'required-properties',
    'a date since which a key is required that is not',
    edited(notes('schemas/NoteList'), ['type: object\n', "type: object\nx-required-since: { note: '2026-03-11' }\n"]),
  ],
  ['tagged-unions', 'a tag of another value', edited(notes('schemas/Note'), ['list: ./ListNote', 'lists: ./ListNote'])],
]

const structure: typeof projectRules = [
  [
    'struct',
    'a key misspelled in a response of many operations',
    edited(shared('responses/BadRequest'), ['description: ', 'descripton: ']),
  ],
  [
    'struct',
    'a key misspelled in a header that only the table names',
    edited(shared('headers/RetryAfter'), ['schema: ', 'schemas: ']),
  ],
  ['struct', 'a workflow with an unknown key', edited(WORKFLOW, ['operationId: createNote', 'operationID: createNote'])],
  ['no-unresolved-refs', 'a reference to nothing', edited(notes('schemas/ListNote'), ['./NoteBase.yaml', './Gone.yaml'])],
  ['no-unresolved-refs', 'a file deleted that many use', (folder) => rmSync(join(folder, shared('parameters/ServiceBeta')))],
  ['no-unresolved-refs', 'a file that is not YAML', edited(notes('examples/UpdateNoteText'), ['summary: ', ': [summary: '])],
  ['operation-summary', 'no summary', edited(notes('paths/note_changes'), ['summary: ', 'x-summary: '])],
  [
    'operation-tag-defined',
    'an operation with a tag that there is not',
    edited(notes('paths/note'), ['tags: [Notes]', 'tags: [Notse]']),
  ],
  ['error-set', 'no error', edited(notes('paths/note_changes'), [BAD_REQUEST, ''], [TOO_MANY, ''])],
  ['operation-operationId-unique', 'an id twice', edited(notes('paths/note_changes'), ['listNoteChanges', 'listNotes'])],
  ['operation-parameters-unique', 'a parameter twice', edited(notes('paths/notes'), ['PageSize.yaml', 'StartCursor.yaml'])],
  [
    'no-invalid-media-type-examples',
    'an example of many',
    edited(notes('examples/RetrieveNoteText'), ['object: note', 'object: 7']),
  ],
  [
    'no-invalid-media-type-examples',
    'examples that no longer fit a schema of many',
    edited(notes('schemas/NoteBase'), ['const: note', 'const: leaf']),
  ],
  ['no-invalid-parameter-examples', 'a parameter', edited(shared('parameters/PageSize'), ['example: 50', 'example: 500'])],
  ['no-invalid-schema-examples', 'a schema', edited(shared('schemas/IdResponse'), ['type: string', 'type: string\nexample: 7'])],
  ['no-duplicated-enum-values', 'a color twice', edited(shared('schemas/Color'), ['red, blue', 'red, red'])],
  ['no-enum-type-mismatch', 'a color that is a number', edited(shared('schemas/Color'), ['red, blue', 'red, 7'])],
  [
    'no-schema-type-mismatch',
    'items of a string',
    edited(notes('schemas/NoteList'), ['type: object', 'type: object\nitems: {}']),
  ],
  [
    'no-mixed-number-range-constraints',
    'two limits',
    edited(shared('parameters/PageSize'), ['minimum: 1', 'minimum: 1, exclusiveMinimum: 0']),
  ],
  ['path-parameters-defined', 'a parameter less', edited(notes('paths/note'), ['  - $ref: ../parameters/NoteId.yaml\n', ''])],
  ['tag-description', 'a tag', edited(ROOT, ['    description: Small texts.\n', ''])],
  ['no-duplicated-tag-names', 'a tag twice', edited(ROOT, ['tags:\n', 'tags:\n  - {name: Notes, description: Notes.}\n'])],
  ['info-license-strict', 'a license without its text', edited(ROOT, [', identifier: MIT', ''])],
  ['no-server-trailing-slash', 'an address', edited(ROOT, ['workspace.example\n', 'workspace.example/\n'])],
  ['no-undefined-server-variable', 'an address with a variable', edited(ROOT, ['https://workspace', 'https://{region}'])],
  ['no-path-trailing-slash', 'a path', edited(ROOT, ['/v1/notes:', '/v1/notes/:'])],
  ['path-not-include-query', 'a path with a query', edited(ROOT, ['/v1/notes:', '/v1/notes?all=true:'])],
  ['no-identical-paths', 'a path under two names', edited(ROOT, ['{note_id}/changes', '{other_id}/attachment'])],
  ['path-declaration-must-exist', 'a path with nothing in braces', edited(ROOT, ['{note_id}/changes', '{}/changes'])],
  ['security-defined', 'a scheme that there is not', edited(ROOT, ['- bearerToken', '- nobody'])],
  [
    'no-unsafe-markdown',
    'a script in a description',
    edited(notes('paths/notes'), ['All notes.', 'All <script>notes</script>.']),
  ],
]

const beside: typeof projectRules = [
  ['availability', 'an operation that the last release does not have', (folder) => release(folder, ['createNote', 'updateNote'])],
  [
    'error-codes',
    'a code that there is not in a description',
    edited(notes('paths/notes'), ['All notes.', 'All notes. 400 `validation_eror` for a cursor of another list.']),
  ],
  ['error-codes', 'one that ends like a code', edited(notes('paths/notes'), ['All notes.', 'All notes, or `rope_error`.'])],
  ['bundle', 'a change of no kind', edited(VERSION, ['kind: both', 'kind: odd'])],
  ['bundle', 'a change of an operation that there is not', edited(VERSION, ['operations: all', 'operations: [readNote]'])],
  ['bundle', 'a header on an unknown condition', edited(shared('headers/response_headers'), ['statuses: [429]', 'codes: [429]'])],
  [
    'bundle',
    'credentials that nobody has',
    edited(notes('paths/note'), ['x-capability: { all: [r', 'x-credentials: key\n  x-capability: { all: [r']),
  ],
  [
    'bundle',
    'a new file under a name that there is',
    (folder) => cpSync(join(folder, notes('schemas/TextNote')), join(folder, shared('schemas/TextNote'))),
  ],
  [
    'example-ids',
    'an id that is missing from the list of ids',
    edited(notes('examples/RetrieveNoteList'), ['479dd02e', '479dd02f']),
  ],
  ['example-ids', 'a list of ids without an id of many', edited('example_workspace.md', ['479dd02e', '479dd02f'])],
  [
    'workflow-operations',
    'an operation that there is not',
    edited(WORKFLOW, ['operationId: createNote', 'operationId: keepNote']),
  ],
  [
    'unfinished',
    'something still to be written',
    edited(notes('schemas/NoteList'), ['description: ', '# TODO: say more\ndescription: ']),
  ],
]

export const plantedFaults: readonly PlantedFault[] = [...projectRules, ...structure, ...beside].map(([rule, title, plant]) => ({
  rule,
  title,
  plant,
}))
