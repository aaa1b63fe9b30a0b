/**
 * `npm run new` as a process of its own, in a copy of the tree: what it begins passes every rule but that what is marked has to be
 * written, compiles once the types have been generated, and nothing is left behind by a refusal.
 */

import { execFile, execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { scratchFolder } from '../harness/databases.ts'
import { projectRoot } from './support/files.ts'

const FOLDERS = ['spec', 'server', 'scripts', 'tests', 'generated', 'client', 'fakes', 'bench', 'examples']
const FILES = [
  'package.json',
  'tsconfig.json',
  'README.md',
  'redocly.yaml',
  '.spectral.yaml',
  '.oxfmtrc.json',
  'vitest.config.ts',
]

function copyOfTree(): string {
  const folder = scratchFolder('new-')
  for (const part of [...FOLDERS, ...FILES]) cpSync(join(projectRoot, part), join(folder, part), { recursive: true })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly error: string
}

function run(folder: string, script: string, ...args: string[]): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [join(folder, script), ...args],
      { cwd: folder, maxBuffer: 1 << 26 },
      (_failed, out, error) => done({ code: child.exitCode ?? -1, out, error }),
    )
  })
}

/** Every file of the tree that is written by hand, with its text. */
function texts(folder: string): Map<string, string> {
  const paths = ['spec', 'server', 'tests'].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
  )
  const files = paths.filter((path) => statSync(join(folder, path)).isFile())
  return new Map(files.map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
}

/** `file:line` of every line that is still to be written, by the texts alone. */
function marked(folder: string, known: ReadonlyMap<string, string>): string[] {
  return [...texts(folder)].flatMap(([path, text]) =>
    text === known.get(path)
      ? []
      : text.split('\n').flatMap((line, index) => (line.includes('TODO:') ? [`${path}:${index + 1}`] : [])),
  )
}

/** `file:line` of every finding of lint, and its rules. */
function findings(report: string): { places: string[]; rules: string[] } {
  let file = ''
  const places: string[] = []
  const rules = new Set<string>()
  for (const line of report.split('\n')) {
    if (/^\S+\/\S+$/.test(line)) file = line
    const [, rule, place] = /^ {2}[✖!] (\S+) .*\(([^)]*)\)$/.exec(line) ?? []
    if (rule === undefined) continue
    rules.add(rule)
    places.push(`${file}:${place}`)
  }
  return { places: places.toSorted(), rules: [...rules] }
}

/** Lines that are gone from files that were there before. */
function linesLost(folder: string, known: ReadonlyMap<string, string>): string[] {
  const now = texts(folder)
  return [...known].flatMap(([path, text]) => {
    const left = new Set(now.get(path)?.split('\n'))
    return text.split('\n').flatMap((line) => (left.has(line) ? [] : [`${path}: ${line}`]))
  })
}

describe('what has been begun', () => {
  const before = new Map<string, string>()
  let folder = ''
  const begun: Ran[] = []

  beforeAll(async () => {
    folder = copyOfTree()
    for (const [path, text] of texts(folder)) before.set(path, text)
    for (const words of [
      ['operation', 'retrievePennant', 'GET', '/v1/pennants/{pennant_id}'],
      ['operation', 'createPennant', 'POST', '/v1/pennants'],
      ['operation', 'listPennants', 'GET', '/v1/pennants'],
      ['operation', 'updatePennant', 'PATCH', '/v1/pennants/{pennant_id}'],
      // Of a resource, an answer and a parameter that exist.
      ['operation', 'queryComments', 'POST', '/v1/comments/query'],
      ['operation', 'completeComment', 'POST', '/v1/comments/{comment_id}/complete'],
      ['schema', 'pages', 'PageStamp'],
      ['schema', 'shared', 'PageStampRequest'],
      ['block-type', 'tide_gauge'],
      ['property-type', 'tide_mark'],
      ['error', 'pennant_taken', '409'],
      ['error', 'pennant_name_error', '400'],
      ['event', 'comment.resolved'],
      ['event', 'page.pennant.awarded'],
      // Which older versions of payloads do not have.
      ['event', 'view.shared'],
      ['release', '2099-01-15'],
      ['table', 'pennants'],
      ['table', 'pennant_rolls'],
    ])
      begun.push(await run(folder, 'scripts/new.ts', ...words))
  })

  test('says which files are new, which have changed, and what comes next', () => {
    expect(begun.map(({ code, error }) => [code, error])).toEqual(begun.map(() => [0, '']))
    const out = begun.map((one) => one.out).join('')
    const now = texts(folder)
    const listed = (word: string): string[] =>
      [...out.matchAll(new RegExp(`^  ${word} +(\\S+)$`, 'gm'))].map(([, path = '']) => path)
    expect(listed('new').toSorted()).toEqual([...now.keys()].filter((path) => !before.has(path)).toSorted())
    const changed = [...before.keys()].filter((path) => now.get(path) !== before.get(path))
    expect([...new Set(listed('changed'))].filter((path) => before.has(path)).toSorted()).toEqual(changed.toSorted())
    for (const next of ['npm run generate', 'npm run typecheck', 'npm run lint']) expect(out).toContain(next)
    const named = [...out.matchAll(/\b(?:spec|server|tests)\/\S+\.(?:ts|yaml|md)\b/g)].map(([path]) => path)
    expect(named.filter((path) => !now.has(path))).toEqual([])
  })

  test('leaves the lines of other things as they were', () => {
    // Lines that name several things: imports, and rows of tables.
    const grown = /: import \{|^spec\/[^:]+: *\||: export const migrations/
    const lost = linesLost(folder, before).filter((line) => !grown.test(line) && !line.includes(newestRelease))
    expect(lost).toEqual([])
  })

  test('lint finds every line that is to be written, and nothing else', async () => {
    const { code, out } = await run(folder, 'scripts/lint.ts')
    const { places, rules } = findings(out)
    expect(rules).toEqual(['unfinished'])
    expect(places).toEqual(marked(folder, before).toSorted())
    expect(code).toBe(1)
  })

  test('is generated', async () => {
    expect(await run(folder, 'scripts/generate.ts')).toMatchObject({ code: 0 })
  })

  test('compiles with what has been generated, and is formatted', async () => {
    expect(await run(folder, 'node_modules/typescript-native/bin/tsc', '-p', '.', '--pretty', 'false')).toMatchObject({
      out: '',
      code: 0,
    })
    expect(
      execFileSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt', '--check', 'server', 'spec', 'tests'], {
        cwd: folder,
      }).toString(),
    ).toContain('All matched files use the correct format')
  })
})

describe('what is refused', () => {
  const OPERATION = 'operation'
  const refused: [string, string[], RegExp][] = [
    ['nothing', [], /^Name what to add: operation/],
    ['an unknown kind', ['widget', 'x'], /^There is no "widget" to add, only: operation/],
    ['a missing name', [OPERATION, 'retrievePennant'], /^Usage: npm run new operation <operationId> <METHOD> <path>$/],
    ['an unknown option', ['--wet'], /--wet/],
    [
      'a verb that the contract does not use',
      [OPERATION, 'fetchPennant', 'GET', '/v1/pennants'],
      /^fetchPennant is not a valid operationId: .* retrieve, /,
    ],
    ['a verb alone', [OPERATION, 'retrieve', 'GET', '/v1/pennants'], /^retrieve is not a valid operationId/],
    ['a method that the API does not have', [OPERATION, 'updatePennant', 'PUT', '/v1/pennants'], /^PUT is not a method/],
    ['a path elsewhere', [OPERATION, 'listPennants', 'GET', '/v2/pennants'], /^\/v2\/pennants is not a valid path/],
    [
      'an operation that exists',
      [OPERATION, 'createPage', 'POST', '/v1/pennants'],
      /^createPage exists already: spec\/resources\/pages\//,
    ],
    ['a method and path that exist', [OPERATION, 'createLeaf', 'POST', '/v1/pages'], /^POST \/v1\/pages exists already: /],
    ['a path that differs in a name alone', [OPERATION, 'deleteLeaf', 'DELETE', '/v1/pages/{leaf_id}'], /are the same path\.$/],
    ['an operation of OAuth', [OPERATION, 'createGrant', 'POST', '/v1/oauth/grants'], /^Operations of OAuth /],
    [
      'a parameter whose name is taken',
      [OPERATION, 'retrievePennant', 'GET', '/v1/pennants/{comment_list}'],
      /CommentList, which is something else/,
    ],
    [
      'an answer called like a parameter',
      [OPERATION, 'retrieveCommentId', 'GET', '/v1/pennants'],
      /CommentId, which exists already and which no operation/,
    ],
    [
      'an answer called like a parameter of its own',
      [OPERATION, 'retrievePennantId', 'GET', '/v1/pennants/{pennant_id}'],
      /PennantId, which exists already/,
    ],
    [
      'a list of what is no schema',
      [OPERATION, 'listCommentIds', 'GET', '/v1/pennants'],
      /^CommentId exists already and is not a schema/,
    ],
    ['a schema of no resource', ['schema', 'pennants', 'PennantStamp'], /^pennants has no schemas/],
    ['a schema of another form', ['schema', 'pages', 'pageStamp'], /^pageStamp is not a valid schema name/],
    ['a schema that exists', ['schema', 'pages', 'Comment'], /^Comment exists already: spec\/resources\/comments\//],
    ['a type of block of another form', ['block-type', 'tideGauge'], /^tideGauge is not a valid block type/],
    ['a type of block that exists', ['block-type', 'child_page'], /^child_page exists already: .*BlockType\.yaml\.$/],
    ['a type of block whose schemas exist', ['block-type', 'text'], /^TextContent exists already: /],
    ['a type of property of another form', ['property-type', 'tide-mark'], /^tide-mark is not a valid property type/],
    ['a type of property that exists', ['property-type', 'unique_id'], /^unique_id exists already: .*PropertyConfig\.yaml\.$/],
    ['an error code of another form', ['error', 'PennantTaken', '409'], /^PennantTaken is not a valid error code/],
    ['an error code that exists', ['error', 'rate_limited', '409'], /^rate_limited exists already: /],
    ['an error code whose schema exists', ['error', 'conflict', '409'], /^ConflictError exists already: /],
    [
      'a status with one error',
      ['error', 'pennant_taken', '429'],
      /^Only the statuses 400, 403, 404, 409 have several .* not "429"/,
    ],
    ['a type of event of another form', ['event', 'commentResolved'], /^commentResolved is not a valid event type/],
    ['an event that exists', ['event', 'comment.created'], /^comment\.created exists already: /],
    ['a table of another form', ['table', 'pennantRolls'], /^pennantRolls is not a valid table name/],
    ['a table called by a singular', ['table', 'pennant'], /^pennant is not a valid table name/],
    ['a table that exists', ['table', 'discussions'], /^discussions exists already: server\/store\/schema\/comments\.ts\.$/],
    ['a release date that is none', ['release', '2099-02-30'], /^2099-02-30 is not a date/],
    ['a release before the newest', ['release', '2024-01-15'], /^2024-01-15 is not later than the newest release, /],
    ['an event about something without events', ['event', 'pennant.created'], /^Events about page, .* by hand\.$/],
  ]

  test.each(refused)('%s: exit code 2 and one sentence', async (_title, args, sentence) => {
    const { code, out, error } = await run(projectRoot, 'scripts/new.ts', ...args, '--dry-run')
    expect(error.trimEnd()).toMatch(sentence)
    expect(error.trimEnd().split('\n')).toHaveLength(1)
    expect([code, out]).toEqual([2, ''])
  })

  test('--dry-run tells of the same files, and writes none', async () => {
    const { code, out } = await run(
      projectRoot,
      'scripts/new.ts',
      OPERATION,
      'retrievePennant',
      'GET',
      '/v1/pennants/{pennant_id}',
      '--dry-run',
    )
    expect(code).toBe(0)
    expect(out).toMatch(/^Would write:\n {2}new +spec\/resources\/pennants\//)
    expect(readdirSync(join(projectRoot, 'spec/resources'))).not.toContain('pennants')
  })

  test('--help names every kind', async () => {
    const { code, out } = await run(projectRoot, 'scripts/new.ts', '--help')
    expect(code).toBe(0)
    for (const line of [
      'operation <operationId> <METHOD> <path>',
      'schema <resource> <Name>',
      'table <name>',
      'block-type <type>',
      'property-type <type>',
      'event <type>',
      'error <code> <status>',
      'release <date>',
    ])
      expect(out).toContain(`npm run new ${line}\n`)
  })
})
