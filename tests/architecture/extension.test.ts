import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../harness/databases.ts'
import { incompleteUnions } from './support/contract_unions.ts'
import { linkModules, workspaces } from '../../scripts/workspaces.ts'
import { withCopiedType, type Copy } from './support/made_up_types.ts'
import { inLongRuns } from '../harness/long_runs.ts'

/**
 * After a new type of block or property in the contract, the compiler reports every module that must handle it. This test adds a type that
 * no module handles to the contract, and compares the compiler's errors with the known modules.
 */

const root = resolve(import.meta.dirname, '../..')

/** @returns files of the server that do not compile once the contract has copies of types */
async function filesThatFail(...copies: Copy[]): Promise<string[]> {
  const folder = scratchFolder('extension-')
  for (const part of ['generated', ...workspaces]) cpSync(join(root, part), join(folder, part), { recursive: true })
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  linkModules(folder)
  const types = join(folder, 'generated/types.ts')
  writeFileSync(types, copies.reduce(withCopiedType, readFileSync(types, 'utf8')))
  const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
    compilerOptions: { readonly lib: readonly string[] }
  }
  // In this project, the tests provide the types of browsers.
  const options = { ...compilerOptions, checkJs: false, lib: [...compilerOptions.lib, 'dom', 'dom.iterable'] }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, include: [...workspaces, 'generated/*.ts'], exclude: ['console'] }),
  )
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const output = await new Promise<string>((done) => {
    const limits = { cwd: folder, maxBuffer: 1 << 26 }
    execFile(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], limits, (_error, text) => done(text))
  })
  return [...new Set([...output.matchAll(/^(\S+?)\(\d+,\d+\): error/gm)].map(([, file = '']) => file))].toSorted()
}

// If you are here because the list is longer: a file outside the module of a type must handle each type. Let the module provide it (a
// member of its definition), and let that file read the index. If it is shorter: something hides a missing type from the compiler, such as
// a `default` or a cast.
inLongRuns(it)(
  'a new type in the contract causes compile errors only in the index of its kind and in a few other files',
  async () => {
    const block: Copy = { from: ['Callout', 'callout'], to: ['MadeUpBlock', 'made_up_block'] }
    const property: Copy = { from: ['PhoneNumber', 'phone_number'], to: ['MadeUpProperty', 'made_up_property'] }
    expect(await filesThatFail(block, property)).toEqual([
      // A format, or that the cell is JSON.
      'archive/src/cell_texts.ts',
      // The value in few words, for assistants.
      'mcp/src/values/shown_value.ts',
      'server/domain/content/block_types/index.ts',
      'server/domain/data/property_types/index.ts',
      // The look of blocks, values and groups in pages for people: the domain makes no HTML.
      'server/http/record_pages/blocks/blocks.ts',
      'server/http/record_pages/values/property_value.ts',
      'server/http/record_pages/views/row_groups.ts',
      // Blocks with a text, which has another name in old releases.
      'server/versions/2022-02-22.ts',
    ])
  },
)

// If you are here because a location is listed: it would silently ignore a new member of the contract. Write a case for each member, or a
// record with all of them; if it depends on types, read their definitions.
it("the server handles every member of the contract's unions explicitly", () => {
  expect(incompleteUnions(root)).toEqual([])
})
