import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { sourceFiles, workspaces } from '../../scripts/workspaces.ts'
import { exportedNames } from './support/exports.ts'

const root = resolve(import.meta.dirname, '../..')

/** Names that several modules export with one meaning. */
const SAME_MEANING: ReadonlyMap<string, RegExp> = new Map([
  // The same function for each test runner.
  ['useTestServer', /^testkit\/src\/(?:jest|node|vitest)\.ts$/],
  // Each module of a release date exports its release.
  ['release', /^server\/versions\/\d{4}-\d\d-\d\d\.ts$/],
  // Users of the client call its builders and readers of texts by short names.
  ['text', /^client\/src\/rich_text\.ts$/],
  ['plainText', /^client\/src\/rich_text\.ts$/],
])

/** Modules that are exported as a namespace, which distinguishes their names. */
const NAMESPACES: readonly string[] = ['client/src/blocks.ts', 'client/src/values.ts']

// If you are here because a name is listed: two modules export it. With one meaning, one of them should export it for both; otherwise give
// one a more specific name.
it('each exported name has one meaning in scripts/, fakes/ and the packages', () => {
  const files = sourceFiles(['scripts', 'fakes', ...workspaces]).filter((file) => !NAMESPACES.includes(file))
  const byName = new Map<string, Set<string>>()
  for (const file of files) {
    for (const { name } of exportedNames(resolve(root, file))) {
      if (!SAME_MEANING.get(name)?.test(file)) byName.set(name, (byName.get(name) ?? new Set()).add(file))
    }
  }
  expect(files.length).toBeGreaterThan(900)
  expect(
    [...byName].filter(([, locations]) => locations.size > 1).map(([name, locations]) => `${name}: ${[...locations].join(', ')}`),
  ).toEqual([])
})
