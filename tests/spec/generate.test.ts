/** `npm run generate` with a faulty contract: reports all faults with their location, and writes no file. */

import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { faultsIn } from '../../scripts/generate/faults.ts'
import { generateInto } from '../../scripts/generate/write.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'generate-test-'))
const spec = join(folder, 'contract')
const out = join(folder, 'made')
const notes = join(spec, 'resources/notes')

beforeEach(() => {
  rmSync(spec, { recursive: true, force: true })
  cpSync(join(import.meta.dirname, 'fixtures/contract'), spec, { recursive: true })
})
afterAll(() => rmSync(folder, { recursive: true }))

const root = join(spec, 'openapi.yaml')
const named = (file: string): string => relative(process.cwd(), join(spec, file))

let ofTheFixture: Promise<ReadonlySet<string>> | undefined
/** The lint findings in the unchanged fixture. */
const faultsBefore = (): Promise<ReadonlySet<string>> => (ofTheFixture ??= faultsOf(true).then((faults) => new Set(faults)))

const faultsOf = (isLinted = false): Promise<readonly string[]> => generateInto(out, root, { isLinted }).then(() => [], faultsIn)

function edit(file: string, change: (text: string) => string): void {
  const path = join(spec, file)
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  expect(changed, file).not.toBe(text)
  writeFileSync(path, changed)
}

const filesIn = (where: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(where, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.includes('.'))
      .map((name) => [name, readFileSync(join(where, name), 'utf8')]),
  )

test('generate reports faults of several generators together, and keeps existing files byte for byte', async () => {
  expect(await faultsOf()).toEqual([])
  const before = filesIn(out)
  expect(before.size).toBeGreaterThan(10)

  edit('resources/notes/paths/note.yaml', (text) => text.replace('summary: ', 'summary: Changed. '))
  edit('resources/notes/paths/notes.yaml', (text) => text.replace(/\n +examples:\n(?: +\w+: .*\n)+/, '\n'))
  edit('resources/notes/schemas/EmptyNoteRequest.yaml', (text) => text.replace('additionalProperties: false\n', ''))
  edit('shared/schemas/ValidationError.yaml', (text) => text.replace('const: validation_error', 'minLength: 1'))
  const faults = await faultsOf()
  for (const fault of ['has no example', 'must be a closed object', 'needs a constant code'])
    expect(faults).toContainEqual(expect.stringContaining(fault))
  expect(filesIn(out)).toEqual(before)
  expect(readdirSync(folder).toSorted()).toEqual(['contract', 'made'])
})

inLongRuns(test)('generate removes only files that an earlier run generated and this one does not', async () => {
  const into = join(folder, 'own')
  cpSync(join(spec, 'openapi.yaml'), join(into, 'collections/mine.yaml'))
  const beside = join(folder, 'beside.txt')
  writeFileSync(beside, 'Kept.')
  await generateInto(into, root, { isLinted: false })
  const before = filesIn(into)

  edit('resources/notes/paths/note_changes.yaml', (text) => text.replace('listNoteChanges', 'listNoteRevisions'))
  edit('openapi.yaml', (text) => text.replace('- name: Notes', '- name: Papers'))
  for (const path of ['note', 'notes', 'note_attachment', 'note_changes'])
    edit(`resources/notes/paths/${path}.yaml`, (text) => text.replaceAll('tags: [Notes]', 'tags: [Papers]'))
  writeFileSync(join(into, 'files.txt'), `${before.get('files.txt')}../beside.txt\n/${beside}\n.\n\n`)
  const { removed } = await generateInto(into, root, { isLinted: false })
  const after = filesIn(into)
  expect(removed.length).toBeGreaterThan(0)
  expect([...before.keys()].filter((name) => !after.has(name)).toSorted()).toEqual(removed.toSorted())
  expect(existsSync(join(into, 'collections/bruno/Notes'))).toBe(false)
  expect(after.get('collections/mine.yaml')).toBe(before.get('collections/mine.yaml'))
  expect(readFileSync(beside, 'utf8')).toBe('Kept.')
  rmSync(beside)
  rmSync(into, { recursive: true })

  const again = join(folder, 'again')
  await generateInto(again, root, { isLinted: false })
  expect(after.get('files.txt')).toBe(readFileSync(join(again, 'files.txt'), 'utf8'))
  rmSync(again, { recursive: true })
})

test('generate reports every broken reference and every file that is not YAML with file and line', async () => {
  edit('resources/notes/paths/note.yaml', (text) => text.replace(/parameters\/NoteId.yaml/, 'parameters/Gone.yaml'))
  edit('resources/notes/examples/UpdateNoteText.yaml', (text) => `${text}\n: [`)
  expect(await faultsOf()).toEqual([
    expect.stringMatching(`^${named('resources/notes/paths/note.yaml')}:2:5  .*Gone.yaml`),
    expect.stringMatching(`^${named('resources/notes/examples/UpdateNoteText.yaml')}:\\d+:\\d+  `),
  ])
})

/** One fault for each stage, in independent files. */
const ofEveryStage: readonly (readonly [stage: string, file: string, from: string, to: string, fault: RegExp])[] = [
  ['reference', 'resources/notes/paths/note_changes.yaml', 'NoteChange.yaml', 'Gone.yaml', /Gone\.yaml/],
  ['YAML', 'resources/notes/examples/SendAttachment.yaml', 'summary: ', ': [summary: ', /./],
  ['structure', 'shared/responses/TooManyRequests.yaml', 'description: ', 'descripton: ', /descripton.*\(struct\)/],
  [
    'a rule of the project',
    'resources/notes/schemas/NoteList.yaml',
    'description: ',
    'x-was: ',
    /has no description \(descriptions\)/,
  ],
  [
    'example',
    'resources/notes/examples/RetrieveNoteText.yaml',
    'object: note',
    'object: 7',
    /\(no-invalid-media-type-examples\)/,
  ],
  ['unlisted id', 'resources/notes/examples/RetrieveNoteList.yaml', '479dd02e', '479dd02f', /is not in example_workspace\.md/],
  ['versions', 'versions/2026-03-11.yaml', 'kind: both', 'kind: odd', /A1 has no kind/],
  ['headers', 'shared/headers/response_headers.yaml', 'statuses: [429]', 'codes: [429]', /unknown condition: codes/],
  [
    'public form',
    'resources/notes/paths/note.yaml',
    'x-capability: ',
    'x-credentials: key\n  x-capability: ',
    /unknown x-credentials/,
  ],
  ['generator', 'shared/schemas/ValidationError.yaml', 'const: validation_error', 'minLength: 1', /needs a constant code/],
]

test('generate reports faults of every stage in one run, each with file and line, and writes nothing', async () => {
  const before = await faultsBefore()
  rmSync(out, { recursive: true, force: true })
  for (const [, file, from, to] of ofEveryStage) edit(file, (text) => text.replace(from, to))
  cpSync(join(notes, 'schemas/TextNote.yaml'), join(spec, 'shared/schemas/TextNote.yaml'))
  const faults = (await faultsOf(true)).filter((fault) => !before.has(fault))
  for (const [stage, file, , , text] of ofEveryStage)
    expect(
      faults.filter((fault) => fault.startsWith(`${named(file)}:`) && text.test(fault)),
      `${stage}\n${faults.join('\n')}`,
    ).not.toEqual([])
  expect(faults).toContainEqual(expect.stringContaining('names have to be unique'))
  for (const fault of faults) expect(fault).toMatch(/^\S+\.yaml(?::\d+:\d+)? {2}/)
  expect(existsSync(out)).toBe(false)
})

test.each(someRows(['a file of paths', 'names of paths and schemas']))(
  'generate reports only the broken references to %s, not their consequences',
  async (what) => {
    const before = await faultsBefore()
    for (const [file, reference] of references[what] ?? [])
      edit(file, (text) => text.replace(reference, reference.replace(/(\w+)\.yaml$/, 'Gone$1.yaml')))
    const faults = (await faultsOf(true)).filter((fault) => !before.has(fault))
    const expected = (references[what] ?? []).map(([file, reference]) => {
      const name = reference.replace(/^.*\/(\w+)\.yaml$/, 'Gone$1.yaml')
      return expect.stringMatching(`^${named(file)}:\\d+:\\d+  .*${name}`) as string
    })
    expect(faults).toHaveLength(expected.length)
    expect(faults).toEqual(expect.arrayContaining(expected))
  },
)

/** References of each kind. The reference to a file of paths is broken alone, because it leads to the others. */
const references: Readonly<Record<string, readonly (readonly [file: string, reference: string])[]>> = {
  'a file of paths': [['openapi.yaml', './resources/notes/paths/note.yaml']],
  'names of paths and schemas': [
    ['resources/notes/paths/note.yaml', '../parameters/NoteId.yaml'],
    ['resources/notes/paths/note.yaml', '../schemas/NoteUpdateRequest.yaml'],
    ['resources/notes/paths/note.yaml', '../examples/RetrieveNoteText.yaml'],
    ['resources/notes/paths/note_changes.yaml', '../../../shared/responses/BadRequest.yaml'],
    ['resources/notes/paths/notes.yaml', '../../../shared/errors/api.yaml'],
    ['resources/notes/schemas/Note.yaml', './ListNote.yaml'],
    ['resources/notes/schemas/ListNote.yaml', './NoteBase.yaml'],
    ['shared/responses/BadRequest.yaml', '../examples/InvalidCursorExample.yaml'],
    ['shared/headers/RequestIdHeader.yaml', '../schemas/IdResponse.yaml'],
  ],
}

test('generate reports a copied schema file that keeps its name, and names both files', async () => {
  cpSync(join(notes, 'schemas/TextNote.yaml'), join(spec, 'shared/schemas/TextNote.yaml'))
  edit('shared/schemas/TextNote.yaml', (text) => text.replace('description: ', 'description: A copy. '))
  edit('resources/notes/schemas/NoteRequest.yaml', (text) => `${text}\nx-copy: {$ref: ../../../shared/schemas/TextNote.yaml}\n`)
  const [original, copy] = [named('resources/notes/schemas/TextNote.yaml'), named('shared/schemas/TextNote.yaml')]
  expect(await faultsOf()).toEqual([`${copy}  ${original} has the same name; names have to be unique.`])
})

const NOTE = 'resources/notes/paths/note.yaml'
const VERSION = 'versions/2026-03-11.yaml'
const HEADERS = 'shared/headers/response_headers.yaml'

interface Planted {
  readonly file: string
  readonly change: (text: string) => string
  /** The reported file, if it differs. */
  readonly reportedFile?: string
  /** Start of the reported line. */
  readonly line: RegExp
  readonly fault: RegExp
}

/** One fault of each kind that the generators detect, with the location where its author looks for it. */
const planted: Record<string, Planted> = {
  'a response without an example': {
    file: NOTE,
    change: (text) => text.replace(/ +examples:\n +text: .*RetrieveNoteText.yaml ?}\n.*\n/, ''),
    line: /^ {4}'200':/,
    fault: /retrieveNote 200 application\/json has no example/,
  },
  'a variant that is not closed': {
    file: 'resources/notes/schemas/EmptyNoteRequest.yaml',
    change: (text) => text.replace('additionalProperties: false\n', ''),
    reportedFile: 'resources/notes/schemas/NoteRequest.yaml',
    line: /./,
    fault: /must be a closed object/,
  },
  'an error without a code': {
    file: 'shared/schemas/ValidationError.yaml',
    change: (text) => text.replace('const: validation_error', 'minLength: 1'),
    line: /./,
    fault: /ValidationError needs a constant code/,
  },
  'an error that no example shows': {
    file: 'shared/examples/InvalidCursorExample.yaml',
    change: (text) => text.replace(/code: \w+/, 'code: validation_error'),
    reportedFile: 'shared/schemas/InvalidCursor.yaml',
    line: /./,
    fault: /no example shows the error /,
  },
  'unknown credentials': {
    file: NOTE,
    change: (text) => text.replace('  tags: [Notes]\n', '  tags: [Notes]\n  x-credentials: key\n'),
    line: /^ {2}x-credentials: key/,
    fault: /retrieveNote: unknown x-credentials key/,
  },
  'an operation of a release alone': {
    file: NOTE,
    change: (text) => text.replace('  tags: [Notes]\n', "  tags: [Notes]\n  x-available: {from: '2026-03-11'}\n"),
    line: /^ {2}x-available: /,
    fault: /x-available differ about retrieveNote/,
  },
  'a change of an unknown kind': {
    file: VERSION,
    change: (text) => text.replace('kind: both', 'kind: odd'),
    line: /^- id: A1/,
    fault: /A1 has no kind/,
  },
  'a change of an unknown operation': {
    file: VERSION,
    change: (text) => text.replace('operations: all', 'operations: [readNote]'),
    line: /^- id: A1/,
    fault: /A1 names the operation readNote, which does not exist/,
  },
  'a step of an unknown form': {
    file: VERSION,
    change: (text) => text.replace('contract: []', 'contract: [{odd: 1}]'),
    line: /^- id: A1/,
    fault: /A1: not a step of a contract/,
  },
  'a step that does not fit': {
    file: VERSION,
    change: (text) => text.replace('contract: []', 'contract: [{in: TextNote, remove: [gone]}]'),
    line: /^- id: A1/,
    fault: /a step of A1 does not fit: gone is not a property/,
  },
  'a header with an unknown condition': {
    file: HEADERS,
    change: (text) => text.replace('statuses: [429]', 'codes: [429]'),
    line: /^- name: Retry-After/,
    fault: /Retry-After has an unknown condition: codes/,
  },
  'a header of an unknown operation': {
    file: HEADERS,
    change: (text) => text.replace('statuses: [429]', 'operations: [readNote]'),
    line: /^- name: Retry-After/,
    fault: /Retry-After names the operation readNote, which does not exist/,
  },
  'a repeated header': {
    file: HEADERS,
    change: (text) => text.replace('name: Retry-After', 'name: X-Service-Request-Id'),
    reportedFile: NOTE,
    line: /^ {2}x-errors: |^ {2}responses:/,
    fault: /gives X-Service-Request-Id twice to retrieveNote 429/,
  },
}

test.each(Object.entries(planted))(
  'generate reports %s with file and line',
  async (_name, { file, change, reportedFile = file, line, fault }) => {
    edit(file, change)
    const faults = await faultsOf()
    const [location = '', text] = faults.find((one) => fault.test(one))?.split('  ') ?? []
    expect([location, text], faults.join('\n')).toEqual([
      expect.stringMatching(`^${named(reportedFile)}:\\d+:1$`),
      expect.stringMatching(fault),
    ])
    const number = Number(location.split(':').at(-2))
    expect(readFileSync(join(spec, reportedFile), 'utf8').split('\n')[number - 1]).toMatch(line)
    for (const one of faults) expect(one).toMatch(/^\S+:\d+:\d+ {2}/)
  },
)

test('generate reports CRLF line ends with the fix, and writes nothing', () => {
  edit('openapi.yaml', (text) => text.replaceAll('\n', '\r\n'))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate.ts', '--root', root, '--out', join(folder, 'crlf')], {
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  expect(stderr).toContain('openapi.yaml has CRLF line ends, and the repository has LF')
  expect(stderr).toContain('git rm --cached -rq . && git reset --hard')
  expect(existsSync(join(folder, 'crlf'))).toBe(false)
})
