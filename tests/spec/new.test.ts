/** `npm run new` changes only the files that it lists, and refuses invalid names in one sentence. */

import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { newestRelease, releaseDates } from '../../generated/operations.ts'
import { begin, help } from '../../scripts/new/begin.ts'
import { bundleContract } from '../../scripts/generate/contract.ts'
import { operationsOf } from '../../scripts/generate/document.ts'
import { datedContracts } from '../../scripts/generate/releases/contracts.ts'
import { UsageError } from '../../scripts/new/usage_error.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'
import { beginEverything, texts, type BegunTree } from './support/scaffolded_tree.ts'
import { projectRoot } from './support/files.ts'

/** Lines that are missing from existing files. */
function linesLost(folder: string, known: ReadonlyMap<string, string>): string[] {
  const now = texts(folder)
  return [...known].flatMap(([path, text]) => {
    const left = new Set(now.get(path)?.split('\n'))
    return text.split('\n').flatMap((line) => (left.has(line) ? [] : [`${path}: ${line}`]))
  })
}

function run(...args: string[]): { code: number | null; out: string; error: string } {
  const ran = spawnSync(process.execPath, [join(projectRoot, 'scripts/new.ts'), ...args], { encoding: 'utf8' })
  return { code: ran.status, out: ran.stdout, error: ran.stderr }
}

inLongRuns(describe)('npm run new', () => {
  let tree: BegunTree
  beforeAll(() => {
    tree = beginEverything()
  })

  test('lists new files, changed files, and the next steps', () => {
    const { folder, before, output } = tree
    const now = texts(folder)
    const listed = (word: string): string[] =>
      [...output.matchAll(new RegExp(`^  ${word} +(\\S+)$`, 'gm'))].map(([, path = '']) => path)
    expect(listed('new').toSorted()).toEqual([...now.keys()].filter((path) => !before.has(path)).toSorted())
    const changed = [...before.keys()].filter((path) => now.get(path) !== before.get(path))
    expect([...new Set(listed('changed'))].filter((path) => before.has(path)).toSorted()).toEqual(changed.toSorted())
    for (const next of ['npm run generate', 'npm run typecheck', 'npm run lint']) expect(output).toContain(next)
    const named = [...output.matchAll(/\b(?:spec|server|tests)\/\S+\.(?:ts|yaml|md)\b/g)].map(([path]) => path)
    expect(named.filter((path) => !now.has(path))).toEqual([])
  })

  test('leaves existing lines of shared files unchanged', () => {
    // Lines that list several names: imports, and rows of tables.
    const grown = /: import \{|^spec\/[^:]+: *\||: export const migrations/
    const lost = linesLost(tree.folder, tree.before).filter((line) => !grown.test(line) && !line.includes(newestRelease))
    expect(lost).toEqual([])
  })

  test('changes the contracts of release dates that have the addition, and no older ones', async () => {
    const { document, releases } = await bundleContract(join(tree.folder, 'spec/openapi.yaml'))
    const dated = datedContracts(document, releases)
    const datesOf = (id: string): string[] =>
      dated
        .filter(({ document }) => operationsOf(document).some(({ operation }) => operation.operationId === id))
        .map(({ date }) => date)
    expect(datesOf('listPennants')).toEqual(['2099-01-15', newestRelease])
    expect(datesOf('createPennant')).toEqual(['2099-01-15', ...releaseDates.toReversed()])
  })
})

describe('the command `npm run new`', () => {
  const OPERATION = 'operation'
  const refused: [string, string[], RegExp][] = [
    ['a missing kind', [], /^Name what to add: operation/],
    ['an unknown kind', ['widget', 'x'], /^"widget" cannot be added\. Expected one of: operation/],
    ['a missing name', [OPERATION, 'retrievePennant'], /^Usage: npm run new operation <operationId> <METHOD> <path> <since>$/],
    [
      'a verb that the contract does not use',
      [OPERATION, 'fetchPennant', 'GET', '/v1/pennants', 'always'],
      /^fetchPennant is not a valid operationId: .* retrieve, /,
    ],
    ['a verb without a noun', [OPERATION, 'retrieve', 'GET', '/v1/pennants', 'always'], /^retrieve is not a valid operationId/],
    [
      'a method that the API does not have',
      [OPERATION, 'updatePennant', 'PUT', '/v1/pennants', 'always'],
      /^PUT is not a method/,
    ],
    [
      'a path outside the API',
      [OPERATION, 'listPennants', 'GET', '/v2/pennants', 'always'],
      /^\/v2\/pennants is not a valid path/,
    ],
    [
      'an operation that exists',
      [OPERATION, 'createPage', 'POST', '/v1/pennants', 'always'],
      /^createPage exists already: spec\/resources\/pages\//,
    ],
    [
      'a method and path that exist',
      [OPERATION, 'createLeaf', 'POST', '/v1/pages', 'always'],
      /^POST \/v1\/pages exists already: /,
    ],
    [
      "a path that differs only in a parameter's name",
      [OPERATION, 'deleteLeaf', 'DELETE', '/v1/pages/{leaf_id}', 'always'],
      /are the same path\.$/,
    ],
    [
      'an unknown release date',
      [OPERATION, 'listPennants', 'GET', '/v1/pennants', '2026-01-01'],
      /^2026-01-01 is not a release date: .*, or always\.$/,
    ],
    ['an operation of OAuth', [OPERATION, 'createGrant', 'POST', '/v1/oauth/grants', 'always'], /^Operations of OAuth /],
    [
      'a parameter whose name is taken',
      [OPERATION, 'retrievePennant', 'GET', '/v1/pennants/{comment_list}', 'always'],
      /CommentList, which is something else/,
    ],
    [
      'a response named like a parameter',
      [OPERATION, 'retrieveCommentId', 'GET', '/v1/pennants', 'always'],
      /CommentId, which exists already and which no operation/,
    ],
    [
      'a response named like its own parameter',
      [OPERATION, 'retrievePennantId', 'GET', '/v1/pennants/{pennant_id}', 'always'],
      /PennantId, which exists already/,
    ],
    [
      'a list of something other than a schema',
      [OPERATION, 'listCommentIds', 'GET', '/v1/pennants', 'always'],
      /^CommentId exists already and is not a schema/,
    ],
    ['a schema without a resource', ['schema', 'pennants', 'PennantStamp'], /^pennants has no schemas/],
    ['a malformed schema name', ['schema', 'pages', 'pageStamp'], /^pageStamp is not a valid schema name/],
    ['a schema that exists', ['schema', 'pages', 'Comment'], /^Comment exists already: spec\/resources\/comments\//],
    ['a malformed block type', ['block-type', 'tideGauge'], /^tideGauge is not a valid block type/],
    [
      'a type of block that exists',
      ['block-type', 'child_page'],
      /^child_page exists already: .*block_types\/child_page\.yaml\.$/,
    ],
    ['a type of block whose schemas exist', ['block-type', 'text'], /^TextContent exists already: /],
    ['a malformed property type', ['property-type', 'tide-mark'], /^tide-mark is not a valid property type/],
    [
      'a type of property that exists',
      ['property-type', 'unique_id'],
      /^unique_id exists already: .*property_types\/unique_id\.yaml\.$/,
    ],
    ['a malformed error code', ['error', 'PennantTaken', '409'], /^PennantTaken is not a valid error code/],
    ['an error code that exists', ['error', 'rate_limited', '409'], /^rate_limited exists already: /],
    ['an error code whose schema exists', ['error', 'conflict', '409'], /^ConflictError exists already: /],
    [
      'a status that cannot have several errors',
      ['error', 'pennant_taken', '429'],
      /^Only the statuses 400, 403, 404, 409 have several .* not "429"/,
    ],
    ['a malformed event type', ['event', 'commentResolved'], /^commentResolved is not a valid event type/],
    ['an event that exists', ['event', 'comment.created'], /^comment\.created exists already: /],
    ['a malformed table name', ['table', 'pennantRolls'], /^pennantRolls is not a valid table name/],
    ['a table with a singular name', ['table', 'pennant'], /^pennant is not a valid table name/],
    ['a table that exists', ['table', 'discussions'], /^discussions exists already: server\/store\/schema\/comments\.ts\.$/],
    ['a malformed release date', ['release', '2099-02-30'], /^2099-02-30 is not a date/],
    ['a release before the newest', ['release', '2024-01-15'], /^2024-01-15 is not later than the newest release, /],
    ['an event about something without events', ['event', 'pennant.created'], /^Events about page, .* by hand\.$/],
  ]

  test.each(someRows(refused, 12))('is refused with one sentence for %s', (_title, args, sentence) => {
    const refusal = (): string => begin(projectRoot, args, true)
    expect(refusal).toThrow(UsageError)
    expect(refusal).toThrow(sentence)
    expect(refusal).not.toThrow('\n')
  })

  test('exits with code 2 and one line for an unknown option, or for a name that is taken', () => {
    for (const args of [['--wet'], [OPERATION, 'createPage', 'POST', '/v1/pennants', 'always']]) {
      const { code, out, error } = run(...args, '--dry-run')
      expect([code, out, error.trimEnd().split('\n').length]).toEqual([2, '', 1])
    }
  })

  inLongRuns(test)('with --dry-run lists the files, and writes none', () => {
    const { code, out } = run(OPERATION, 'retrievePennant', 'GET', '/v1/pennants/{pennant_id}', 'always', '--dry-run')
    expect(code).toBe(0)
    expect(out).toMatch(/^Would write:\n {2}new +spec\/resources\/pennants\//)
    expect(readdirSync(join(projectRoot, 'spec/resources'))).not.toContain('pennants')
  })

  test('with --help names every kind', () => {
    const out = help()
    for (const line of [
      'operation <operationId> <METHOD> <path> <since>',
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
